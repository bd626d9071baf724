import type { WriteStream } from 'node:fs'
import type pg from 'pg'
import { writeLine } from '../lines.ts'
import type { Check, Reader } from './reader.ts'
import { stagedName } from './staging.ts'
import { rowsOf } from './work-list.ts'

export interface TableCounts {
  table: string
  source: number
  moved: number
  /** Numbers of rows by reason. */
  reasons: Record<string, number>
  /** Rows of the moved accounts in Parley's table now, however they came there; null where there is no such table. */
  present: number | null
}

/**
 * Finds the rows that were not moved and writes them, each with its reason, as lines of JSON.
 * @returns for each table how many rows were moved, and why the others were not
 */
export async function writeSetAside(
  client: pg.Client,
  { checks, secrets }: Pick<Reader, 'checks' | 'secrets'>,
  file: WriteStream,
): Promise<TableCounts[]> {
  const counts: TableCounts[] = []
  for (const check of checks) counts.push(await writeTable(client, check, secrets, file))
  return counts
}

async function writeTable(
  client: pg.Client,
  { table, isMoved, reason }: Check,
  secrets: string[],
  file: WriteStream,
): Promise<TableCounts> {
  const staged = stagedName(table)
  const { rows: all } = await client.query<{ count: string }>(`select count(*) from ${staged}`)
  const reasons: Record<string, number> = {}
  const leftovers = rowsOf<{ reason: string; row: unknown }>(
    client,
    `select ${reason} as reason, to_jsonb(o) - 'ord' - $1::text[] as row from ${staged} o where not (${isMoved}) order by ord`,
    [secrets],
  )
  for await (const rows of leftovers) {
    for (const { reason: why, row } of rows) {
      reasons[why] = (reasons[why] ?? 0) + 1
      await writeLine(file, JSON.stringify({ table, reason: why, row }))
    }
  }
  const source = Number(all[0]!.count)
  const missing = Object.values(reasons).reduce((sum, count) => sum + count, 0)
  return { table, source, moved: source - missing, reasons, present: null }
}

/** Adds how many rows the moved accounts have in Parley, counted there. */
export async function countTargets(
  client: pg.Client,
  { checks, queries }: Reader,
  counts: TableCounts[],
): Promise<TableCounts[]> {
  const counted: TableCounts[] = []
  for (const [at, count] of counts.entries()) {
    const { target } = checks[at]!
    counted.push({ ...count, present: target ? await countPresent(client, target, queries.accounts) : null })
  }
  return counted
}

async function countPresent(client: pg.Client, target: string, accounts: string): Promise<number> {
  const column = target === 'accounts' ? 'id' : 'account_id'
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from ${target} where ${column} in (${accounts})`,
  )
  return Number(rows[0]!.count)
}
