import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { toJson } from '#server/platform/db/to-json.ts'
import { linesOf, writeLine } from '../lines.ts'
import { quoted } from '../tables.ts'
import { stagedName } from './staging.ts'
import { type Unit, UnitFile } from './unit-file.ts'

/** A row of a source's table. All rows of a table have the same columns. */
export type SourceRow = Record<string, unknown>

/** Rows that are inserted by one statement. */
const BATCH = 500
/** Larger batches would be texts that the database has to hold at once. */
const BATCH_CHARACTERS = 8_000_000

/**
 * Rows of a source that is read by many requests, kept in files until the import begins: its transaction must not stay
 * open for the hours that they may take. What takes long is kept in units, which a reading that was stopped does not ask
 * for again.
 */
export class RowFiles {
  readonly #folder: string
  readonly #files = new Map<string, WriteStream>()
  readonly #units: UnitFile
  readonly counts = new Map<string, number>()

  private constructor(folder: string, units: UnitFile) {
    this.#folder = folder
    this.#units = units
  }

  /**
   * @param unitFolder where units are kept until everything is moved
   * @param remember called with what each unit that is there remembers
   */
  static async open(unitFolder: string, remember: (memory: object) => void): Promise<RowFiles> {
    const units = await UnitFile.open(unitFolder, remember)
    return new RowFiles(await mkdtemp(join(tmpdir(), 'parley-rows-')), units)
  }

  /** Whether this state of a unit is here already. */
  use(name: string, version: string): boolean {
    return this.#units.use(name, version)
  }

  addUnit(unit: Unit): Promise<void> {
    return this.#units.add(unit)
  }

  /** Adds rows of a table; without rows the table exists and is empty. */
  async add(table: string, rows: SourceRow[]): Promise<void> {
    const file = this.#files.get(table) ?? createWriteStream(this.#pathOf(table))
    this.#files.set(table, file)
    this.counts.set(table, (this.counts.get(table) ?? 0) + rows.length)
    for (const row of rows) await writeLine(file, toJson(row))
  }

  /** Ends the writing. */
  async finish(): Promise<void> {
    await this.#units.finish()
    for (const file of this.#files.values()) await new Promise((resolve) => file.end(resolve))
  }

  /** Copies them into the temporary tables, which exist. */
  async stage(target: pg.Client): Promise<void> {
    const tables = new Set(this.#files.keys())
    for (const table of tables) {
      for await (const rows of batchesOf(this.#pathOf(table))) await insert(target, stagedName(table), rows)
    }
    for await (const { table, rows } of batchesByTable(this.#units.rows())) {
      await insert(target, stagedName(table), rows)
      this.counts.set(table, (this.counts.get(table) ?? 0) + rows.length)
      tables.add(table)
    }
    for (const table of tables) await target.query(`analyze ${stagedName(table)}`)
  }

  /** Removes what is not kept for a later run. */
  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true })
  }

  #pathOf(table: string): string {
    return join(this.#folder, `${table}.jsonl`)
  }
}

async function* batchesOf(path: string): AsyncGenerator<string[]> {
  let lines: string[] = []
  let characters = 0
  for await (const line of linesOf(createReadStream(path))) {
    lines.push(line)
    characters += line.length
    if (lines.length < BATCH && characters < BATCH_CHARACTERS) continue
    yield lines
    lines = []
    characters = 0
  }
  if (lines.length > 0) yield lines
}

/** Rows of several tables in batches, each of one table. */
async function* batchesByTable(
  rows: AsyncGenerator<{ table: string; row: string }>,
): AsyncGenerator<{ table: string; rows: string[] }> {
  const waiting = new Map<string, string[]>()
  let characters = 0
  for await (const { table, row } of rows) {
    const list = waiting.get(table) ?? []
    waiting.set(table, list)
    list.push(row)
    characters += row.length
    if (list.length < BATCH && characters < BATCH_CHARACTERS) continue
    for (const [name, batch] of waiting) yield { table: name, rows: batch }
    waiting.clear()
    characters = 0
  }
  for (const [name, batch] of waiting) yield { table: name, rows: batch }
}

async function insert(target: pg.Client, name: string, lines: string[]): Promise<void> {
  const columns = quoted(Object.keys(JSON.parse(lines[0]!)))
  await target.query(
    `insert into ${name} (${columns}) select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
    [`[${lines.join(',')}]`],
  )
}
