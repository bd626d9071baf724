import { createReadStream, createWriteStream } from 'node:fs'
import type pg from 'pg'
import { linesOf, writeLine } from '../lines.ts'

/** Rows that are read at once. */
const BATCH = 1_000

/**
 * The rows of a query, read with a cursor, so that memory stays the same however many there are.
 */
export async function* rowsOf<Row extends pg.QueryResultRow>(
  client: pg.Client,
  query: string,
  values: unknown[] = [],
  batch = BATCH,
): AsyncGenerator<Row[]> {
  await client.query(`declare rows no scroll cursor for ${query}`, values)
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${batch} from rows`)
    if (rows.length > 0) yield rows
    if (rows.length < batch) break
  }
  await client.query('close rows')
}

/** Writes the rows of a query into a file, one line of JSON each, for work that follows the transaction. */
export async function writeWorkList(client: pg.Client, query: string, path: string, batch?: number): Promise<void> {
  const file = createWriteStream(path)
  for await (const rows of rowsOf(client, query, [], batch)) {
    for (const row of rows) await writeLine(file, JSON.stringify(row))
  }
  await new Promise((resolve) => file.end(resolve))
}

/** The rows of such a file, in batches. */
export async function* readWorkList<Row>(path: string, batch = BATCH): AsyncGenerator<Row[]> {
  let rows: Row[] = []
  for await (const line of linesOf(createReadStream(path))) {
    rows.push(JSON.parse(line) as Row)
    if (rows.length < batch) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

/** The number of rows in such a file. */
export async function countLines(path: string): Promise<number> {
  let count = 0
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const byte of piece) if (byte === 10) count++
  }
  return count
}
