import type { Readable } from 'node:stream'
import { OperatorError } from '#server/platform/operator-error.ts'

/** A piece of a plain dump of PostgreSQL. Texts have one character for each byte (latin1). */
export type DumpPart =
  /** A line of SQL. */
  | { kind: 'line'; line: string }
  /** The rows of a table begin. */
  | { kind: 'table'; schema: string; table: string; columns: string[] }
  /** Whole rows in the text format of COPY. */
  | { kind: 'rows'; rows: string }
  /** The rows of the table end. */
  | { kind: 'end' }

const COPY = /^COPY (?:("[^"]+"|\w+)\.)?("[^"]+"|\w+) \((.*)\) FROM stdin;$/
/** Dumps of before 2018 name the schema once, in front of its tables. */
const SEARCH_PATH = /^SET search_path = ("[^"]+"|\w+)/
const COLUMN = /"(?:[^"]|"")+"|[^", ]+/g
const END = '\\.\n'

/**
 * Splits a plain dump into lines of SQL and rows. Memory is that of the longest row.
 * @throws OperatorError if the file ends within rows
 */
export async function* partsOf(stream: Readable): AsyncGenerator<DumpPart> {
  let remaining = ''
  let isInRows = false
  let schema = 'public'
  for await (const piece of readWhole(stream)) {
    remaining += piece.toString('latin1')
    let start = 0
    for (;;) {
      if (isInRows) {
        const end = remaining.startsWith(END, start) ? start : remaining.indexOf(`\n${END}`, start) + 1
        const isEnd = end > start || remaining.startsWith(END, start)
        const stop = isEnd ? end : Math.max(start, remaining.lastIndexOf('\n') + 1)
        if (stop > start) yield { kind: 'rows', rows: remaining.slice(start, stop) }
        start = stop
        if (!isEnd) break
        yield { kind: 'end' }
        start += END.length
        isInRows = false
      }
      const at = remaining.indexOf('\n', start)
      if (at < 0) break
      const line = remaining.slice(start, at).replace(/\r$/, '')
      start = at + 1
      schema = nameOf(SEARCH_PATH.exec(line)?.[1]) ?? schema
      const copy = COPY.exec(line)
      isInRows = !!copy
      if (copy) yield { kind: 'table', ...tableOf(copy, schema) }
      else yield { kind: 'line', line }
    }
    remaining = remaining.slice(start)
  }
  if (isInRows) throw truncated()
  if (remaining) yield { kind: 'line', line: remaining }
}

/** The sentence for a dump that is not complete. */
export function truncated(): OperatorError {
  return new OperatorError(
    'This dump is not complete: it ends before the line "PostgreSQL database dump complete". Make it again with `pg_dump --no-owner DATABASE_URL > dump.sql`, and check that the disk was not full.',
  )
}

/** The bytes of a file, of which a compressed one may end too early. */
async function* readWhole(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR' || code === 'Z_DATA_ERROR') throw truncated()
    throw error
  }
}

function tableOf([, prefix, table = '', columns = '']: RegExpExecArray, schema: string) {
  const names = (columns.match(COLUMN) ?? []).map((column) => nameOf(column)!)
  return { schema: nameOf(prefix) ?? schema, table: nameOf(table)!, columns: names }
}

function nameOf(text: string | undefined): string | undefined {
  return text?.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text
}
