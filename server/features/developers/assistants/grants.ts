import { createHash } from 'node:crypto'
import { type SqlBool, sql } from 'kysely'
import type { Assistant, AssistantScope } from '#contract/developers/assistants.ts'
import { NotFound } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { pruneRows } from '../../../platform/db/prune-rows.ts'
import { hashToken, newId, newToken } from '../../../platform/secrets.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { type Client, hostOf } from './clients.ts'

/** By this prefix scanners for leaked secrets, and we ourselves, recognise the tokens of assistants. */
export const ASSISTANT_PREFIX = 'parley_assistant_'
const CODE_PREFIX = 'parley_code_'
const REFRESH_PREFIX = 'parley_refresh_'

/** For how long an access token is valid, in seconds. */
export const ACCESS_SECONDS = 3600
const CODE_SECONDS = 600
/** For so long the refresh token before is accepted, because the answer with the new one may have been lost. */
const LOST_ANSWER_SECONDS = 60
/** An assistant that is not used for so long has to ask again. */
const UNUSED_DAYS = 180
const LIST_LIMIT = 200

const columns = [
  'id',
  'client_name as name',
  'redirect_host',
  'scopes',
  'user_id',
  'created_at',
  'last_used_at',
] as const

const presentAssistant = (row: Omit<Assistant, 'object'>): Assistant => ({ ...row, object: 'assistant' })

interface Consented {
  client: Client
  redirect_uri: string
  code_challenge: string
  scopes: AssistantScope[]
}

/** Stores what a user has allowed a program, and returns the code by which it gets its tokens. */
export async function createGrant(tx: Change, caller: User, consented: Consented): Promise<string> {
  const { client, redirect_uri, code_challenge, scopes } = consented
  const { account_id, user_id } = caller
  const code = newToken(CODE_PREFIX)
  const id = newId()
  const client_name = client.name.slice(0, 200)
  await tx.db
    .insertInto('assistant_grants')
    .values({
      account_id,
      id,
      user_id,
      client_id: client.id,
      client_name,
      redirect_host: hostOf(redirect_uri),
      scopes,
      code_hash: hashToken(code),
      code_expires_at: inSeconds(CODE_SECONDS),
      code_challenge,
      redirect_uri,
    })
    .execute()
  await recordAudit(tx, caller, {
    action: 'assistant.connected',
    subject_id: id,
    subject_name: client_name,
    details: { scopes },
  })
  return code
}

/** The assistants of a user, for an admin those of the whole team; newest first. */
export async function listGrants(db: Db, { account_id, user_id, role }: User): Promise<Assistant[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('assistant_grants')
    .select(columns)
    .where('code_hash', 'is', null)
    .$if(role !== 'admin', (query) => query.where('user_id', '=', user_id))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(LIST_LIMIT)
    .$castTo<Omit<Assistant, 'object'>>()
    .execute()
  return rows.map(presentAssistant)
}

/** Ends a connection. @throws NotFound, also for one of somebody else unless an admin asks */
export async function revokeGrant(tx: Change, caller: User, id: string): Promise<void> {
  const { account_id, user_id, role } = caller
  const row = await ofAccount(tx.db, account_id)
    .deleteFrom('assistant_grants')
    .where('id', '=', id)
    .$if(role !== 'admin', (query) => query.where('user_id', '=', user_id))
    .returning('client_name')
    .executeTakeFirst()
  if (!row) throw new NotFound()
  await recordAudit(tx, caller, { action: 'assistant.disconnected', subject_id: id, subject_name: row.client_name })
}

/** Tokens as a program receives them. */
export interface GrantTokens {
  access_token: string
  refresh_token: string
  scopes: AssistantScope[]
}

interface Exchange {
  client_id: string
  code: string
  redirect_uri: string
  verifier: string
}

/** Exchanges a code for tokens, once. Undefined if anything about it is wrong. */
export async function exchangeCode({ db }: Change, input: Exchange): Promise<GrantTokens | undefined> {
  const grant = await acrossAccounts(db, 'who holds the code is told whose it is')
    .selectFrom('assistant_grants')
    .select(['account_id', 'id', 'scopes', 'client_id', 'redirect_uri', 'code_challenge', 'code_expires_at'])
    .where('code_hash', '=', hashToken(input.code))
    .forUpdate()
    .executeTakeFirst()
  if (!grant || Date.parse(grant.code_expires_at!) < Date.now()) return undefined
  const challenge = createHash('sha256').update(input.verifier).digest('base64url')
  const isRight =
    grant.client_id === input.client_id &&
    grant.redirect_uri === input.redirect_uri &&
    grant.code_challenge === challenge
  if (!isRight) return undefined
  return storeTokens(db, grant.account_id, grant.id, grant.scopes as AssistantScope[], null)
}

/**
 * Renews tokens. The refresh token changes each time; an older one that is used again was stolen, or its owner was
 * robbed, so the connection ends. Undefined if it is unknown or not valid any more.
 */
export async function renewTokens(
  { db }: Change,
  input: { client_id: string; refresh_token: string },
): Promise<GrantTokens | undefined> {
  const hash = hashToken(input.refresh_token)
  const grant = await acrossAccounts(db, 'who holds the token is told whose it is')
    .selectFrom('assistant_grants')
    .select(['account_id', 'id', 'scopes', 'client_id', 'refresh_hash', 'renewed_at'])
    .where((eb) => eb.or([eb('refresh_hash', '=', hash), eb('earlier_refresh_hash', '=', hash)]))
    .forUpdate()
    .executeTakeFirst()
  if (grant?.client_id !== input.client_id) return undefined
  const isCurrent = !!grant.refresh_hash?.equals(hash)
  const isLost = Date.parse(grant.renewed_at ?? '') > Date.now() - LOST_ANSWER_SECONDS * 1000
  if (isCurrent || isLost) return storeTokens(db, grant.account_id, grant.id, grant.scopes as AssistantScope[], hash)
  await ofAccount(db, grant.account_id).deleteFrom('assistant_grants').where('id', '=', grant.id).execute()
  return undefined
}

async function storeTokens(
  db: Db,
  account_id: string,
  id: string,
  scopes: AssistantScope[],
  earlier: Buffer | null,
): Promise<GrantTokens> {
  const tokens = { access_token: newToken(ASSISTANT_PREFIX), refresh_token: newToken(REFRESH_PREFIX) }
  await ofAccount(db, account_id)
    .updateTable('assistant_grants')
    .set({
      code_hash: null,
      code_expires_at: null,
      code_challenge: null,
      access_hash: hashToken(tokens.access_token),
      access_expires_at: inSeconds(ACCESS_SECONDS),
      refresh_hash: hashToken(tokens.refresh_token),
      earlier_refresh_hash: earlier,
      renewed_at: new Date().toISOString(),
    })
    .where('id', '=', id)
    .execute()
  return { ...tokens, scopes }
}

/** Ends the connection to which a token belongs. */
export async function revokeByToken({ db }: Change, token: string): Promise<void> {
  const hash = hashToken(token)
  await acrossAccounts(db, 'who holds the token may end what it gives')
    .deleteFrom('assistant_grants')
    .where((eb) => eb.or([eb('access_hash', '=', hash), eb('refresh_hash', '=', hash)]))
    .execute()
}

/** The holder of an access token with their current role; undefined if it is unknown, revoked or expired. */
export async function findGrant(db: Db, token: string) {
  const grant = await acrossAccounts(db, 'who holds the token is told whose it is')
    .selectFrom('assistant_grants as g')
    .innerJoin('users as u', (join) => join.onRef('u.account_id', '=', 'g.account_id').onRef('u.id', '=', 'g.user_id'))
    .innerJoin('accounts as a', 'a.id', 'g.account_id')
    .select(['g.account_id', 'g.id', 'g.user_id', 'g.scopes', 'g.client_name as name', 'g.last_used_at'])
    .select(['u.role', 'u.disabled_at', 'u.archived_at', 'a.suspended_at'])
    .where('g.access_hash', '=', hashToken(token))
    .where('g.access_expires_at', '>', new Date().toISOString())
    .$castTo<GrantHolder>()
    .executeTakeFirst()
  if (grant) await recordUse(db, grant)
  return grant
}

interface GrantHolder {
  account_id: string
  id: string
  user_id: number
  scopes: AssistantScope[]
  name: string
  last_used_at: string | null
  role: User['role']
  disabled_at: string | null
  archived_at: string | null
  suspended_at: string | null
}

/** Precision of the time of last use: a write for each call would cost more than the call. */
const USE_RECORDED_MS = 60_000

async function recordUse(db: Db, { account_id, id, last_used_at }: GrantHolder): Promise<void> {
  if (last_used_at && Date.parse(last_used_at) > Date.now() - USE_RECORDED_MS) return
  await ofAccount(db, account_id)
    .updateTable('assistant_grants')
    .set({ last_used_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
}

/** Deletes consents that were never used, and connections that nobody uses any more. */
export function pruneGrants(db: Db): Promise<void> {
  return pruneRows(
    db,
    'assistant_grants',
    sql<SqlBool>`code_expires_at < now() or renewed_at < now() - make_interval(days => ${UNUSED_DAYS})`,
  )
}

function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString()
}
