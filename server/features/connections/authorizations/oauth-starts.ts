import { type SqlBool, sql } from 'kysely'
import type { IntegrationName } from '#contract/connections/integrations.ts'
import type { OAuthType } from '#contract/connections/oauth.ts'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../errors.ts'
import type { OpenedStart } from '../../../integration.ts'
import type { SignedInUser } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { deriveToken, hashToken, newToken } from '../../../platform/secrets.ts'

const MINUTES = 10
const TOO_LATE =
  'This connection was not started here, is already finished, or took longer than ten minutes. Start again.'

/** Why a browser was sent to a consent page. */
interface OAuthStart {
  integration: IntegrationName
  type: OAuthType
  inbox_id: string | null
}

/** Derived from the state and the installation's key, so it is not stored. */
function verifierOf({ secretKey }: Context['config'], state: string): string {
  return deriveToken('', secretKey!, 'oauth verifier', state)
}

/**
 * Records that somebody is sent to a consent page. The state is valid for them, in this session, once and for ten
 * minutes.
 */
export async function openStart(
  { config }: Pick<Context, 'config'>,
  { db }: Change,
  { account_id, user_id, session_id }: SignedInUser,
  start: OAuthStart,
): Promise<OpenedStart & OAuthStart> {
  const state = newToken('parley_oauth_')
  await db
    .insertInto('oauth_starts')
    .values({
      account_id,
      state_hash: hashToken(state),
      user_id,
      session_id,
      ...start,
      expires_at: new Date(Date.now() + MINUTES * 60_000).toISOString(),
    })
    .execute()
  return { ...start, state, verifier: verifierOf(config, state) }
}

/**
 * Uses up a returned state, whatever happens next.
 * @throws Refusal unless the same user was sent with it, in this session and recently
 */
export async function redeemStart(
  { config }: Pick<Context, 'config'>,
  { db }: Change,
  { account_id, user_id, session_id }: SignedInUser,
  state: string,
): Promise<OpenedStart & OAuthStart> {
  const row = await ofAccount(db, account_id)
    .deleteFrom('oauth_starts')
    .where('state_hash', '=', hashToken(state))
    .where('user_id', '=', user_id)
    .where('session_id', '=', session_id)
    .where(sql<SqlBool>`expires_at > clock_timestamp()`)
    .returning(['integration', 'type', 'inbox_id'])
    .executeTakeFirst()
  if (!row) throw new Refusal(400, TOO_LATE, 'unknown_state')
  return { ...(row as OAuthStart), state, verifier: verifierOf(config, state) }
}

/** The user of an open consent, for a page on the way to it. */
export function findStart(db: Db, state: string): Promise<{ account_id: string; user_id: number } | undefined> {
  return acrossAccounts(db, 'who holds the secret is told whose it is')
    .selectFrom('oauth_starts')
    .select(['account_id', 'user_id'])
    .where('state_hash', '=', hashToken(state))
    .where(sql<SqlBool>`expires_at > clock_timestamp()`)
    .executeTakeFirst()
}

/** Deletes unfinished starts. Runs each night. */
export async function pruneStarts(db: Db): Promise<void> {
  await acrossAccounts(db, 'looks after all accounts at once')
    .deleteFrom('oauth_starts')
    .where(sql<SqlBool>`expires_at < now()`)
    .execute()
}
