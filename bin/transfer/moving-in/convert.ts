import type pg from 'pg'
import { unknownPassword } from '#server/features/accounts/auth-sessions/passwords.ts'
import type { Conversion, Reader } from './reader.ts'
import { stagedName } from './staging.ts'

/** People who are invited during a trial get numbers far behind those of the source, which grow meanwhile. */
const FREE_NUMBERS = 100_000
/** Numbers from here on are given to moved people whose own ones are taken. */
export const SUBSTITUTE_NUMBERS = 1_000_000_000

/**
 * Runs the conversions of a reader in their order.
 * @param onProgress called with the part that is done, from 0 to 1
 */
export async function convert(
  client: pg.Client,
  { conversions, queries }: Reader,
  onProgress: (fraction: number) => void,
): Promise<void> {
  // For people without a password. Hashing is slow, so all of them get the same one, which nobody knows.
  await client.query(`select set_config('parley.unknown_password', $1, true)`, [await unknownPassword()])
  const sizes = await countRead(client, conversions)
  const total = conversions.reduce((sum, { reads }) => sum + (sizes.get(reads) ?? 0), 0)
  let done = 0
  for (const conversion of conversions) {
    const size = sizes.get(conversion.reads) ?? 0
    await runConversion(client, conversion, (rows) => onProgress((done + Math.min(rows, size)) / total))
    done += size
    if (total > 0) onProgress(done / total)
    await client.query(`analyze "${conversion.table}"`)
  }
  await client.query(
    `select setval(pg_get_serial_sequence('users', 'id'),
       greatest((${queries.largestUserNumber}) + ${FREE_NUMBERS}, (select max(id) from users where id < ${SUBSTITUTE_NUMBERS}), 1))`,
  )
}

async function runConversion(
  client: pg.Client,
  { sql, slices }: Conversion,
  onProgress: (rows: number) => void,
): Promise<void> {
  if (!slices) {
    await client.query(sql)
    return
  }
  const { rows } = await client.query<{ low: string; high: string; rows: number }>(slices)
  let done = 0
  for (const slice of rows) {
    await client.query(sql, [slice.low, slice.high])
    done += slice.rows
    onProgress(done)
  }
}

async function countRead(client: pg.Client, conversions: Conversion[]): Promise<Map<string | undefined, number>> {
  const sizes = new Map<string | undefined, number>()
  for (const { reads } of conversions) {
    if (!reads || sizes.has(reads)) continue
    const { rows } = await client.query<{ count: string }>(`select count(*) from ${stagedName(reads)}`)
    sizes.set(reads, Number(rows[0]!.count))
  }
  return sizes
}
