import type pg from 'pg'
import { OperatorError } from '#server/platform/operator-error.ts'
import type { Reader } from './reader.ts'

/** An arbitrary number, the same everywhere: the advisory lock of imports. */
const LOCK = 5_150_925

/** The database notices within seconds that an earlier import was killed. */
const WAIT = '10s'
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * One import at a time. The lock ends with the transaction.
 * @throws OperatorError if another one runs
 */
export async function lockImports(client: pg.Client): Promise<void> {
  await client.query(`set local lock_timeout = '${WAIT}'`)
  await client.query('select pg_advisory_xact_lock($1)', [LOCK]).catch((error) => {
    if (error.code !== LOCK_NOT_AVAILABLE) throw error
    throw new OperatorError('Another import is running. Wait until it has ended.')
  })
  await client.query('set local lock_timeout = 0')
}

/**
 * Whoever set up the installation keeps its operation: the account that was first would otherwise be an imported one, which is older.
 */
export async function keepOperator(client: pg.Client): Promise<void> {
  await client.query(
    `update accounts set is_operator = true where id = (select id from accounts order by created_at, id limit 1)
       and not exists (select from accounts where is_operator)`,
  )
}

/**
 * Other companies may be there as long as they have no customers, such as the one with which the installation was set up.
 * @throws OperatorError if one is in use
 */
export async function assertOthersEmpty(client: pg.Client, { name, queries }: Reader): Promise<void> {
  const { rows } = await client.query<{ company_name: string }>(
    `select company_name from accounts a where id not in (${queries.accounts})
       and exists (select from customers c where c.account_id = a.id) order by created_at limit 1`,
  )
  if (rows.length === 0) return
  throw new OperatorError(
    `This installation has the company "${rows[0]!.company_name}", which is not in the ${name} database and has customers. Move into a new installation: set another DATA_DIR or DATABASE_URL.`,
  )
}
