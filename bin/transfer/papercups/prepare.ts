import pg from 'pg'
import { OperatorError } from '#server/platform/operator-error.ts'
import { SUBSTITUTE_NUMBERS } from '../moving-in/convert.ts'
import type { Step } from '../moving-in/reader.ts'
import { stagedName } from '../moving-in/staging.ts'
import { TABLES } from './tables.ts'

/** Columns with the number of a person. All other references are UUIDs. */
const NUMBERS = Object.entries(TABLES).flatMap(([table, columns]) =>
  Object.entries(columns)
    .filter(([, type]) => type === 'bigint')
    .map(([column]) => ({ table: stagedName(table), column })),
)

/** What is done with the staged rows before they are converted. */
export async function prepare(step: Step): Promise<void> {
  await keepAccount(step)
  await assertOwnAccounts(step)
  await assertAddressesFree(step)
  await renumberPeople(step)
  await step.client.query('create index on old_messages (conversation_id); analyze old_messages')
}

/** Removes the staged rows of all other accounts. Messages belong to the account of their conversation. */
async function keepAccount({ client, options }: Step): Promise<void> {
  const [account, another] = options.accounts
  if (!account) return
  if (another) throw new OperatorError("Papercups' accounts are moved all together, or one: use --account once.")
  const { rows } = await client.query(`select 1 from ${stagedName('accounts')} where id::text = $1`, [account])
  if (rows.length === 0) throw new OperatorError(`Papercups has no account ${account}.`)
  await client.query(`create temporary table other_conversations on commit drop as
    select id from ${stagedName('conversations')} where account_id::text <> ${pg.escapeLiteral(account)}`)
  await client.query(
    `delete from ${stagedName('messages')} where conversation_id in (select id from other_conversations)`,
  )
  for (const [table, columns] of Object.entries(TABLES)) {
    if (!columns.account_id || table === 'messages') continue
    await client.query(`delete from ${stagedName(table)} where account_id::text <> $1`, [account])
  }
  await client.query(`delete from ${stagedName('accounts')} where id::text <> $1`, [account])
}

/**
 * Ids stay, so an account of Parley with the id of an old one came from there, unless it was made at another time.
 * @throws OperatorError if one is in use that an import has not begun
 */
async function assertOwnAccounts({ client }: Step): Promise<void> {
  const { rows } = await client.query<{ company_name: string }>(
    `select a.company_name from old_accounts o join accounts a on a.id = o.id
     where a.created_at <> o.inserted_at at time zone 'UTC' and exists (select from customers c where c.account_id = a.id)
     limit 1`,
  )
  if (rows.length === 0) return
  throw new OperatorError(
    `The company "${rows[0]!.company_name}" exists in Parley with the id of one in Papercups, has customers, and did not come from there. Move into a new installation: set another DATA_DIR or DATABASE_URL.`,
  )
}

/**
 * An address signs in one person of an installation.
 * @throws OperatorError if somebody of another company has the address of somebody who is moved
 */
async function assertAddressesFree({ client }: Step): Promise<void> {
  const { rows } = await client.query<{ email: string; company_name: string }>(
    `select u.email, a.company_name from users u join accounts a on a.id = u.account_id
     where not exists (select from old_accounts o where o.id = u.account_id)
       and u.email in (select lower(btrim(o.email)) from old_users o join old_accounts a on a.id = o.account_id) order by u.email`,
  )
  if (rows.length === 0) return
  const list = rows.map(({ email, company_name }) => `${email} (in "${company_name}")`).join(', ')
  throw new OperatorError(
    `These addresses sign in here already, and belong to people of Papercups too: ${list}. Change them under Settings → Profile, for example to setup@…, and run the import again. Then the people can sign in with their old passwords.`,
  )
}

/** People whose number belongs to somebody of another company get a number far above all others, the same each time. */
async function renumberPeople({ client }: Step): Promise<void> {
  await client.query(
    `create temporary table renumbered on commit drop as
     select o.id as old, ${SUBSTITUTE_NUMBERS} + o.id as new from old_users o where o.id < ${SUBSTITUTE_NUMBERS} and exists (
       select from users u where (u.id = o.id and u.account_id <> o.account_id)
         or (u.id = ${SUBSTITUTE_NUMBERS} + o.id and u.account_id = o.account_id))`,
  )
  const { rows } = await client.query('select 1 from renumbered limit 1')
  if (rows.length === 0) return
  for (const { table, column } of NUMBERS) {
    await client.query(`update ${table} o set "${column}" = r.new from renumbered r where o."${column}" = r.old`)
  }
}
