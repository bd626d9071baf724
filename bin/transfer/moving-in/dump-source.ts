import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { OperatorError } from '#server/platform/operator-error.ts'
import { quoted } from '../tables.ts'
import { openDump } from './dump-file.ts'
import { type DumpPart, partsOf, truncated } from './dump-parts.ts'
import type { Tables } from './reader.ts'
import { noteRepair, type Source, type Staged } from './source.ts'
import { createStaged, stagedName } from './staging.ts'
import { validText } from './valid-text.ts'

const ENCODING = /^SET client_encoding = '(\w+)';$/
const COMPLETE = '-- PostgreSQL database dump complete'
const CLUSTER = '-- PostgreSQL database cluster dump'

/** A file of `pg_dump` as the source. It is read once, from its beginning to its end. */
export function openDumpSource(path: string): Source {
  return {
    async stage(target, tables, counted, onProgress) {
      const { sql, fractionRead } = await openDump(path)
      await createStaged(target, tables)
      const parts = reporting(partsOf(sql), () => onProgress(fractionRead()))
      return new DumpReading(target, tables, counted).read(parts).finally(() => sql.destroy())
    },
    close: async () => undefined,
  }
}

async function* reporting(parts: AsyncGenerator<DumpPart>, report: () => void): AsyncGenerator<DumpPart> {
  for await (const part of parts) {
    if (part.kind === 'rows') report()
    yield part
  }
}

/** One pass over a dump. */
class DumpReading {
  readonly #target: pg.Client
  readonly #tables: Tables
  readonly #counted: Set<string>
  readonly #staged: Staged = { tables: new Set(), counts: new Map(), repaired: new Map() }
  #encoding = 'UTF8'
  #isComplete = false

  constructor(target: pg.Client, tables: Tables, counted: string[]) {
    this.#target = target
    this.#tables = tables
    this.#counted = new Set(counted)
  }

  async read(parts: AsyncGenerator<DumpPart>): Promise<Staged> {
    for await (const part of parts) {
      if (part.kind === 'line') this.#readLine(part.line)
      else if (part.kind === 'table') await this.#readTable(part, parts)
    }
    if (!this.#isComplete) throw truncated()
    return this.#staged
  }

  #readLine(line: string): void {
    this.#encoding = ENCODING.exec(line)?.[1] ?? this.#encoding
    if (line === COMPLETE) this.#isComplete = true
    if (line === CLUSTER) {
      throw new OperatorError(
        'This dump was written by pg_dumpall and may hold several databases. Dump the one that you want to move: pg_dump --no-owner DATABASE_URL > dump.sql',
      )
    }
    if (line.startsWith('INSERT INTO ')) {
      throw new OperatorError(
        'This dump was written with --inserts or --column-inserts. Make it again without these options: pg_dump --no-owner DATABASE_URL > dump.sql',
      )
    }
  }

  async #readTable(part: DumpPart & { kind: 'table' }, parts: AsyncGenerator<DumpPart>): Promise<void> {
    const { schema, table, columns } = part
    const isPublic = schema === 'public'
    if (isPublic) this.#staged.tables.add(table)
    const wanted = isPublic ? Object.keys(this.#tables[table] ?? {}).filter((name) => columns.includes(name)) : []
    if (wanted.length > 0) return this.#copyRows(table, columns, wanted, parts)
    let count = 0
    for await (const rows of rowsOf(parts)) count += countLines(rows)
    if (isPublic && this.#counted.has(table)) this.#staged.counts.set(table, count)
  }

  /** Copies the wanted columns of a table, as they are: both sides speak the text format of COPY. */
  async #copyRows(table: string, columns: string[], wanted: string[], parts: AsyncGenerator<DumpPart>): Promise<void> {
    const name = stagedName(table)
    const isUnchecked = this.#encoding === 'SQL_ASCII'
    if (!isUnchecked) await this.#setEncoding(this.#encoding)
    const picked = wanted.map((column) => columns.indexOf(column))
    const isWhole = picked.length === columns.length && picked.every((at, n) => at === n)
    const check = isUnchecked ? validText((rows) => noteRepair(this.#staged, table, rows)) : new PassThrough()
    const writing = this.#target.query(copyFrom(`copy ${name} (${quoted(wanted)}) from stdin`))
    const copying = pipeline(check, writing)
    // It is awaited below; until then a failure must not end the process.
    copying.catch(() => undefined)
    let count = 0
    try {
      for await (const rows of rowsOf(parts)) {
        count += countLines(rows)
        const bytes = Buffer.from(isWhole ? rows : pickColumns(rows, table, columns.length, picked), 'latin1')
        if (!check.write(bytes)) await Promise.race([once(check, 'drain'), copying])
      }
    } catch (error) {
      // Ends the copying on the connection, so that the transaction can be rolled back.
      check.destroy()
      await copying.catch(() => undefined)
      throw unreadable(table, error as Error)
    }
    check.end()
    await copying.catch((error) => {
      throw unreadable(table, error)
    })
    if (!isUnchecked) await this.#setEncoding('UTF8')
    await this.#target.query(`analyze ${name}`)
    this.#staged.counts.set(table, count)
  }

  /** The database converts from other encodings. */
  async #setEncoding(encoding: string): Promise<void> {
    await this.#target.query(`set local client_encoding = ${pg.escapeLiteral(encoding)}`)
  }
}

/** The sentence for rows that the database refuses: class 22 is about values and the form of rows. */
function unreadable(table: string, error: Error & { code?: string; where?: string }): Error {
  if (!error.code?.startsWith('22')) return error
  return new OperatorError(
    `This dump is damaged: the rows of "${table}" cannot be read (${error.message}; ${error.where}). Make it again.`,
  )
}

/** The rows of a table up to their end. */
async function* rowsOf(parts: AsyncGenerator<DumpPart>): AsyncGenerator<string> {
  for (;;) {
    const { value, done } = await parts.next()
    if (done || value.kind !== 'rows') return
    yield value.rows
  }
}

/** Tabs and line feeds within values are escaped, so rows and columns are split at them. */
function pickColumns(rows: string, table: string, count: number, picked: number[]): string {
  let out = ''
  for (const row of rows.slice(0, -1).split('\n')) {
    const values = row.split('\t')
    if (values.length !== count) {
      throw new OperatorError(`This dump is damaged: a row of "${table}" has ${values.length} columns, not ${count}.`)
    }
    out += `${picked.map((at) => values[at]).join('\t')}\n`
  }
  return out
}

function countLines(rows: string): number {
  let count = 0
  for (let at = rows.indexOf('\n'); at >= 0; at = rows.indexOf('\n', at + 1)) count++
  return count
}
