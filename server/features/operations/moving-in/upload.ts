import { appendFile, rm, statfs } from 'node:fs/promises'
import type { ProductId } from '#contract/operations/moving-in.ts'
import type { Context } from '../../../context.ts'
import { Invalid, Refusal } from '../../../errors.ts'
import { assertPossible, readIdle } from './moving-in.ts'
import { dumpFile, receivedBytes, removeState, writeState } from './stored-state.ts'

interface Upload {
  product: ProductId
  filename: string
  size: number
}

const NO_ROOM = 'There is not enough room on the disk of this server for the file.'
const OTHER_OFFSET = 'Another part of the file is needed next.'

/**
 * Begins an upload in place of an earlier one.
 * @throws Refusal
 */
export async function beginUpload(context: Context, { product, filename, size }: Upload): Promise<void> {
  const { config } = context
  await assertPossible(context)
  const limit = config.movingInMb
  if (size > limit * 1_000_000) {
    throw new Invalid({
      file: [
        `is too large: at most ${limit} MB can be uploaded. Compress it with gzip, or move in on the command line`,
      ],
    })
  }
  await removeState(config)
  await writeState(config, {
    product,
    file: { name: filename, size },
    api: null,
    running: null,
    report: null,
    problem: null,
    ended_at: null,
  })
  const { bavail, bsize } = await statfs(config.dataDir)
  if (bavail * bsize > size) return
  await removeState(config)
  throw new Refusal(409, NO_ROOM)
}

/** Pieces of each server arrive one after another, whoever sends them. */
const queues = new WeakMap<Context, Promise<void>>()

/**
 * Adds a piece of the file. After a lost connection the sender asks how much has arrived and goes on from there.
 * @throws Refusal if another piece is needed
 */
export function addPiece(context: Context, offset: number, bytes: Buffer): Promise<void> {
  const adding = (queues.get(context) ?? Promise.resolve()).then(() => append(context, offset, bytes))
  queues.set(
    context,
    adding.catch(() => undefined),
  )
  return adding
}

async function append(context: Context, offset: number, bytes: Buffer): Promise<void> {
  const stored = await readIdle(context)
  const received = await receivedBytes(context.config)
  if (!stored?.file || stored.report || offset !== received) throw new Refusal(409, OTHER_OFFSET)
  if (offset + bytes.length > stored.file.size) throw new Invalid({ file: ['is larger than announced'] })
  try {
    await appendFile(dumpFile(context.config), bytes, { mode: 0o600, flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    await rm(dumpFile(context.config), { force: true })
    throw new Refusal(409, NO_ROOM)
  }
}
