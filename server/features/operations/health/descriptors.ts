import { open } from 'node:fs/promises'
import { devNull } from 'node:os'
import { type Context, perServer } from '../../../context.ts'
import { type Repeating, repeat } from '../../../platform/repeating.ts'

const PROBE_MS = 5_000

const EXHAUSTED =
  'No file descriptors are left: new connections are closed, and files cannot be opened. Raise the limit (LimitNOFILE of systemd, or ulimit -n) above the number of connections that are expected.'

interface Descriptors {
  isExhausted: boolean
  /** When they last were. */
  exhaustedAt: string | null
  /** How many times they ran out since this server started. */
  times: number
  probing: Repeating | undefined
}

/** What this server knows about its file descriptors. */
export const descriptorsOf = perServer(
  (): Descriptors => ({
    isExhausted: false,
    exhaustedAt: null,
    times: 0,
    probing: undefined,
  }),
)

/**
 * Tries every few seconds whether something can still be opened. Nothing else would tell: without descriptors, Node closes
 * new connections silently.
 * @param note called whenever the state has changed
 */
export function watchDescriptors(context: Context, note: () => Promise<void>): void {
  const descriptors = descriptorsOf(context)
  descriptors.probing = repeat(PROBE_MS, async () => {
    const wasExhausted = descriptors.isExhausted
    descriptors.isExhausted = await areExhausted()
    if (descriptors.isExhausted) descriptors.exhaustedAt = new Date().toISOString()
    if (descriptors.isExhausted === wasExhausted) return
    if (descriptors.isExhausted) {
      descriptors.times++
      context.log.error(EXHAUSTED)
    } else context.log.info('There are file descriptors again')
    await note()
  })
}

async function areExhausted(): Promise<boolean> {
  try {
    await (await open(devNull)).close()
    return false
  } catch (error) {
    return ['EMFILE', 'ENFILE'].includes(String((error as NodeJS.ErrnoException).code))
  }
}
