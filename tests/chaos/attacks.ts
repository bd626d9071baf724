import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { MAIL_BOMBS, signedBomb } from '#tests/support/mail-bombs.ts'
import { floodFunctions, floodInvitations, floodPictures, floodTemplates } from './attack-calls.ts'
import { joinMadeUpTopics, openIdleSmtpConnections, openSlowForms, openUnfinishedFrames } from './attack-connections.ts'

interface Target {
  url: string
  smtpPort: number
}

/** The parameters of the attacking process. */
export interface AttackOrder {
  targets: Target[]
  /** It ends by itself after this long. */
  seconds: number
  /** Forwarding addresses of companies, the agents' among them. */
  addresses: string[]
  /** The hostile company: its account and its admin. */
  account_id: string
  token: string
  /** Admins of fresh companies, for functions. */
  tokens: string[]
}

/** One of the parallel loops of an attack. */
export interface Attack extends Omit<AttackOrder, 'targets' | 'seconds'>, Target {
  /** The number of this loop among those of its kind. */
  index: number
  signal: AbortSignal
}

/** Each attack runs in this many loops on each server. */
const ATTACKS: Record<string, { width: number; run: (attack: Attack) => Promise<unknown> }> = {
  'mail bombs': { width: 2, run: sendBombs },
  'slow forms': { width: 40, run: openSlowForms },
  'unfinished frames': { width: 30, run: openUnfinishedFrames },
  'made-up topics': { width: 10, run: joinMadeUpTopics },
  'idle SMTP connections': { width: 60, run: openIdleSmtpConnections },
  'template previews': { width: 8, run: floodTemplates },
  invitations: { width: 4, run: floodInvitations },
  functions: { width: 10, run: floodFunctions },
  pictures: { width: 8, run: floodPictures },
}

/** How often each attack was carried out, and how often it failed. */
export type AttackCounts = Record<string, { done: number; failed: number }>

// A process of its own, so that the cost of attacking is not measured as the agents': see `hostile.ts`.
process.once('message', async (order: AttackOrder) => {
  const signal = AbortSignal.timeout(order.seconds * 1000)
  // Ends even if an attack hangs.
  signal.addEventListener('abort', () => setTimeout(() => process.exit(), 5_000))
  const counts: AttackCounts = {}
  for (const [name, { width, run }] of Object.entries(ATTACKS)) {
    counts[name] = { done: 0, failed: 0 }
    for (const target of order.targets)
      for (let index = 0; index < width; index++) void repeat({ ...order, ...target, index, signal }, run, counts[name])
  }
  await sleep(order.seconds * 1000)
  process.send?.(counts, () => process.exit())
})
process.once('disconnect', () => process.exit())

/** With a pause after each, because an attacker's connection has latency, too. */
async function repeat(attack: Attack, run: (attack: Attack) => Promise<unknown>, counts: AttackCounts[string]) {
  while (!attack.signal.aborted) {
    await run(attack).then(
      () => counts.done++,
      () => counts.failed++,
    )
    await sleep(100)
  }
}

const BOMBS = [
  ...Object.values(MAIL_BOMBS),
  (subject: string) => signedBomb(subject, 2_000),
  (subject: string) => signedBomb(subject, 5_000),
]
let next = 0

/** Mails the next bomb to one of the companies, from a mail server of its own. */
async function sendBombs({ smtpPort, addresses, index }: Attack): Promise<void> {
  const number = next++
  const transport = createTransport({
    host: '127.0.0.1',
    port: smtpPort,
    localAddress: `127.0.1.${index + 1}`,
    ignoreTLS: true,
    socketTimeout: 60_000,
  })
  const envelope = { from: `bomber${number}@example.org`, to: addresses[number % addresses.length]! }
  const raw = BOMBS[number % BOMBS.length]!(`Bomb ${number}`)
  await transport.sendMail({ envelope, raw }).finally(() => transport.close())
}
