import type { WriteStream } from 'node:fs'
import type pg from 'pg'
import { stagedName } from './stage.ts'

/** How to tell whether a staged row `o` was moved. */
export interface Check {
  table: string
  /** A condition. */
  isMoved: string
  /** An expression: why it was not, as a sentence about the row without its subject. */
  reason: string
}

export interface TableCounts {
  table: string
  source: number
  moved: number
  /** Numbers of rows by reason. */
  reasons: Record<string, number>
}

/** Rows per line of the file that are read at once. */
const BATCH = 1_000
/** Columns that nobody should find in a file. */
const SECRETS = ['password_hash', 'value', 'expo_push_token']

/**
 * Finds the rows that were not moved and writes them, each with its reason, as lines of JSON.
 * @returns for each table how many rows were moved, and why the others were not
 */
export async function writeSetAside(client: pg.Client, checks: Check[], file: WriteStream): Promise<TableCounts[]> {
  const counts: TableCounts[] = []
  for (const { table, isMoved, reason } of checks) {
    const staged = stagedName(table)
    const { rows: all } = await client.query<{ count: string }>(`select count(*) from ${staged}`)
    const reasons: Record<string, number> = {}
    await client.query(
      `declare set_aside no scroll cursor for
       select ${reason} as reason, to_jsonb(o) - 'ord' - $1::text[] as row from ${staged} o where not (${isMoved}) order by ord`,
      [SECRETS],
    )
    for (;;) {
      const { rows } = await client.query<{ reason: string; row: unknown }>(`fetch ${BATCH} from set_aside`)
      for (const { reason: why, row } of rows) {
        reasons[why] = (reasons[why] ?? 0) + 1
        if (!file.write(`${JSON.stringify({ table, reason: why, row })}\n`)) {
          await new Promise<void>((resolve) => file.once('drain', resolve))
        }
      }
      if (rows.length < BATCH) break
    }
    await client.query('close set_aside')
    const source = Number(all[0]!.count)
    const missing = Object.values(reasons).reduce((sum, count) => sum + count, 0)
    counts.push({ table, source, moved: source - missing, reasons })
  }
  return counts
}
