import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { messageOf } from '#server/errors.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { linesOf } from './lines.ts'
import type { Progress } from './progress.ts'

/** Version of the file format. The first had no last line. */
export const FORMAT = 2

/** The first line: the version that wrote the file, and the migrations of its database. */
export interface Opening {
  parley: number
  migrations: string[]
  /** Only in backups. */
  secret_key?: string | undefined
}

/** Number of records by kind, and of files with contents. */
export type Counts = Record<string, number>
export const FILES_WITH_BYTES = 'files_with_bytes'

/** One line of content, without the first and the last line. */
export interface Line {
  number: number
  text: string
}

/** A file written by `export`. */
export interface BackupFile {
  opening: Opening
  lines: AsyncGenerator<Line>
  /** From the last line, once all lines were read; the first format has none. */
  counts(): Counts | undefined
  /** Checksum of its content, as `export` printed it, once all lines were read. */
  sha256(): string
}

/**
 * Opens a file written by `export` and reads its first line.
 * @throws OperatorError when it is none, or is damaged; also later, while lines are read, or if they do not have the
 * checksum that the last one names
 */
export async function openBackup(path: string, progress: Progress): Promise<BackupFile> {
  const all = numbered(path, progress)
  const first = await all.next()
  const opening = parseOpening(first.done ? '' : first.value.text, path)
  const sum = createHash('sha256')
  let counts: Counts | undefined
  async function* records() {
    for await (const line of all) {
      if (counts) throw damaged(path, line.number, 'there is data after its end')
      const isEnd = line.text.startsWith('{"end"')
      if (isEnd) counts = parseEnd(path, line, sum.copy().digest('hex'))
      sum.update(line.text).update('\n')
      if (!isEnd) yield line
    }
    if (!counts && opening.parley > 1) throw new OperatorError(`Nothing was imported: the end of ${path} is missing.`)
  }
  return { opening, lines: records(), counts: () => counts, sha256: () => sum.copy().digest('hex') }
}

/** An error that names the damaged line. */
export function damaged(path: string, line: number, reason: string): OperatorError {
  return new OperatorError(`Nothing was imported: line ${line} of ${path} is damaged (${reason}).`)
}

/** Also reports a file that is missing, truncated or corrupt. */
async function* numbered(path: string, progress: Progress): AsyncGenerator<Line> {
  let number = 0
  const lines = linesOf(unzip(path, progress))
  for (;;) {
    const next = await lines.next().catch((error) => {
      const position = number === 0 ? '' : ` after line ${number}`
      throw new OperatorError(`Nothing was imported: ${path} cannot be read${position} (${messageOf(error)}).`)
    })
    if (next.done) return
    progress.lines = ++number
    yield { number, text: next.value }
  }
}

function parseOpening(text: string, path: string): Opening {
  try {
    const opening = JSON.parse(text)
    if (Array.isArray(opening?.migrations) && opening.parley <= FORMAT) return opening
    if (opening?.parley > FORMAT)
      throw new OperatorError(`${path} was written by a newer version of Parley: import it with that version.`)
  } catch (error) {
    if (error instanceof OperatorError) throw error
  }
  throw new OperatorError('This file was not written by `npm run parley -- export`.')
}

/** Files of versions before 0.4.0 name no checksum. */
function parseEnd(path: string, { number, text }: Line, sha256: string): Counts {
  let last: { end: Counts; sha256?: string }
  try {
    last = JSON.parse(text)
  } catch (error) {
    throw damaged(path, number, messageOf(error))
  }
  if (last.sha256 !== undefined && last.sha256 !== sha256)
    throw damaged(path, number, 'the lines before it do not have the checksum that it names')
  return last.end
}

/**
 * Decompresses a file up to its end or the first damage: yields everything before that, then throws. A failed pipe
 * would drop data that was decompressed but not yet read, depending on timing.
 */
async function* unzip(path: string, progress: Progress): AsyncGenerator<Buffer> {
  const { size } = await stat(path)
  let read = 0
  // On damage the current chunk is lost: at most this many bytes.
  const gunzip = createGunzip({ chunkSize: 1024 })
  const unzipped: Buffer[] = []
  gunzip.on('data', (bytes: Buffer) => unzipped.push(bytes))
  const failed = new Promise<Error>((resolve) => gunzip.once('error', resolve))
  async function* drain(done: Promise<unknown>) {
    const error = await Promise.race([failed, done])
    yield* unzipped.splice(0)
    if (error instanceof Error) throw error
  }
  try {
    for await (const bytes of createReadStream(path)) {
      read += bytes.length
      progress.share = read / size
      yield* drain(new Promise<void>((resolve) => gunzip.write(bytes, () => resolve())))
    }
    yield* drain(once(gunzip.end(), 'end'))
  } finally {
    gunzip.destroy()
  }
}
