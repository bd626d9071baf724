import { messageOf } from '#server/errors.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { linesOf } from './lines.ts'
import { unzip } from './unzip.ts'

/** Of the file. The first had no last line. */
export const FORMAT = 2

/** The first line: which version wrote the file, at which state of the database. */
export interface Opening {
  parley: number
  migrations: string[]
  /** In backups. */
  secret_key?: string | undefined
}

/** How many records of each kind there are, and how many files whose bytes came along. */
export type Counts = Record<string, number>
export const FILES_WITH_BYTES = 'files_with_bytes'

/** One line of a file, without those that are about the file itself. */
export interface Line {
  number: number
  text: string
}

/** What `export` wrote. */
export interface BackupFile {
  opening: Opening
  lines: AsyncGenerator<Line>
  /** From the last line, once all were read; the first format has none. */
  counts(): Counts | undefined
}

/**
 * Opens a file that `export` wrote and reads its first line.
 * @throws OperatorError when it is none, or is damaged; while lines are read, too
 */
export async function openBackup(path: string): Promise<BackupFile> {
  const all = numbered(path)
  const first = await all.next()
  const opening = parseOpening(first.done ? '' : first.value.text, path)
  let counts: Counts | undefined
  async function* records() {
    for await (const line of all) {
      if (counts) throw damaged(path, line.number, 'it goes on after its end')
      if (line.text.startsWith('{"end"')) counts = parseEnd(path, line)
      else yield line
    }
    if (!counts && opening.parley > 1) throw new OperatorError(`Nothing was imported: the end of ${path} is missing.`)
  }
  return { opening, lines: records(), counts: () => counts }
}

/** Names the line where a file is damaged. */
export function damaged(path: string, line: number, reason: string): OperatorError {
  return new OperatorError(`Nothing was imported: line ${line} of ${path} is damaged (${reason}).`)
}

/** Also a file that is not there, ends too early or has a changed byte is told of here. */
async function* numbered(path: string): AsyncGenerator<Line> {
  let number = 0
  const lines = linesOf(unzip(path))
  for (;;) {
    const next = await lines.next().catch((error) => {
      const place = number === 0 ? '' : ` after line ${number}`
      throw new OperatorError(`Nothing was imported: ${path} cannot be read${place} (${messageOf(error)}).`)
    })
    if (next.done) return
    yield { number: ++number, text: next.value }
  }
}

function parseOpening(text: string, path: string): Opening {
  try {
    const opening = JSON.parse(text)
    if (Array.isArray(opening?.migrations) && opening.parley <= FORMAT) return opening
    if (opening?.parley > FORMAT) throw new OperatorError(`${path} was written by a newer version of Parley: use that.`)
  } catch (error) {
    if (error instanceof OperatorError) throw error
  }
  throw new OperatorError('This is no file that `npm run parley -- export` wrote.')
}

function parseEnd(path: string, { number, text }: Line): Counts {
  try {
    return JSON.parse(text).end
  } catch (error) {
    throw damaged(path, number, messageOf(error))
  }
}
