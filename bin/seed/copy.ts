import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Row } from './company.ts'

/** Streams rows into a table by COPY, with constant memory. */
export async function copyRows(client: Client, table: string, columns: string[], rows: Iterable<Row>): Promise<number> {
  let count = 0
  function* lines() {
    let chunk = ''
    for (const row of rows) {
      chunk += `${row.map(field).join('\t')}\n`
      count++
      if (chunk.length < 65_536) continue
      yield chunk
      chunk = ''
    }
    yield chunk
  }
  await pipeline(Readable.from(lines()), client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`)))
  return count
}

function field(value: Row[number]): string {
  if (value === null) return '\\N'
  return String(value).replace(
    /[\\\t\n\r]/g,
    (char) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[char]!,
  )
}
