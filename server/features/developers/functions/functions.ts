import { sql } from 'kysely'
import type { Lambda, LambdaChanges, LambdaDraft } from '#contract/developers/functions.ts'
import { NotFound } from '../../../errors.ts'
import type { Keyring } from '../../../platform/crypto/keyring.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import { renewFunctionKey } from '../api-keys/api-keys.ts'

interface Filters {
  status?: Lambda['status'] | undefined
  name?: string | undefined
  q?: string | undefined
}

/** All functions of an account, last changed first. */
export async function listFunctions(db: Db, account_id: string, { status, name, q }: Filters): Promise<Lambda[]> {
  const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const rows = await select(db, account_id)
    .$if(!!status, (query) => query.where('status', '=', status!))
    .$if(!!name, (query) => query.where('name', '=', name!))
    .$if(!!q, (query) =>
      query.where((row) => row.or([row('name', 'ilike', like(q!)), row('description', 'ilike', like(q!))])),
    )
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(presentLambda)
}

/** @throws NotFound */
export async function getFunction(db: Db, account_id: string, id: string): Promise<Lambda> {
  const row = await select(db, account_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return presentLambda(row)
}

/** Creates a function with its own key. */
export async function createFunction(
  change: Change,
  keys: Keyring,
  { account_id, user_id }: { account_id: string; user_id: number },
  { metadata, code, ...draft }: LambdaDraft,
): Promise<Lambda> {
  const id = newId()
  await change.db
    .insertInto('functions')
    .values({
      ...draft,
      account_id,
      id,
      creator_id: user_id,
      ...(code && { code }),
      ...(metadata && { metadata: toJson(metadata) }),
    })
    .execute()
  await renewFunctionKey(change, keys, { account_id, function_id: id, user_id, label: draft.name })
  return getFunction(change.db, account_id, id)
}

/**
 * Changes the given fields. A function stays `pending` until it is deployed, and cannot be set back to that.
 * @throws NotFound
 */
export async function updateFunction(
  { db }: Change,
  account_id: string,
  id: string,
  { metadata, code, status, ...changes }: LambdaChanges,
): Promise<Lambda> {
  const current = await getFunction(db, account_id, id)
  await ofAccount(db, account_id)
    .updateTable('functions')
    .set({
      ...changes,
      updated_at: new Date().toISOString(),
      ...(code !== undefined && { code: code ?? '' }),
      ...(metadata !== undefined && { metadata: metadata && toJson(metadata) }),
      ...(status && status !== 'pending' && current.status !== 'pending' && { status }),
    })
    .where('id', '=', id)
    .execute()
  return getFunction(db, account_id, id)
}

/** What is deployed: the code and, if uploaded with it, the modules it requires. */
export interface Deployment {
  code: string
  modules?: Record<string, string> | undefined
}

/**
 * Deploys code. From now on it runs in the name of the user who deployed it, with a new key.
 * @throws NotFound
 */
export async function deployFunction(
  change: Change,
  keys: Keyring,
  { account_id, user_id, id }: { account_id: string; user_id: number; id: string },
  { code, modules }: Deployment,
): Promise<Lambda> {
  const { name, status } = await getFunction(change.db, account_id, id)
  const now = new Date().toISOString()
  await ofAccount(change.db, account_id)
    .updateTable('functions')
    .set({
      deployed_code: code,
      last_deployed_at: now,
      updated_at: now,
      ...(modules && { modules: toJson(modules) }),
      ...(status === 'pending' && { status: 'inactive' }),
    })
    .where('id', '=', id)
    .execute()
  await renewFunctionKey(change, keys, { account_id, function_id: id, user_id, label: name })
  return getFunction(change.db, account_id, id)
}

/** @throws NotFound */
export async function deleteFunction({ db }: Change, account_id: string, id: string): Promise<null> {
  await getFunction(db, account_id, id)
  await ofAccount(db, account_id).deleteFrom('functions').where('id', '=', id).execute()
  return null
}

/**
 * The code to run: from the editor, or the deployed one.
 * @throws NotFound
 */
export async function readCode(
  db: Db,
  account_id: string,
  id: string,
): Promise<{ draft: string; deployed: string | null; modules: Record<string, string> }> {
  const row = await ofAccount(db, account_id)
    .selectFrom('functions')
    .select(['code', 'deployed_code', 'modules'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new NotFound()
  return { draft: row.code, deployed: row.deployed_code, modules: row.modules as Record<string, string> }
}

const columns = [
  'account_id',
  'id',
  'name',
  'description',
  'code',
  'language',
  'runtime',
  'metadata',
  'events',
  'status',
  'creator_id',
  'last_deployed_at',
  'last_executed_at',
  'created_at',
  'updated_at',
] as const

function select(db: Db, account_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('functions')
    .select(columns)
    .select([
      // The modules' code may be megabytes.
      sql<string[]>`array(select jsonb_object_keys(modules) order by 1)`.as('modules'),
      sql<boolean>`coalesce(deployed_code <> code, false)`.as('is_changed'),
    ])
    .$castTo<Omit<Lambda, 'object'>>()
}

function presentLambda(row: Omit<Lambda, 'object'>): Lambda {
  return { ...row, object: 'lambda' }
}
