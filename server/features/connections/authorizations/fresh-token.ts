import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import type { ConnectedAuthorization } from '../../../integration.ts'
import { ConnectionRevoked, RetryLater } from '../../../integration.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { type OAuthApp, OAuthRefused, refreshTokens } from '../../../platform/oauth/oauth.ts'
import { acquireLease, releaseLease } from '../../../platform/outbound/leases.ts'
import { OutboundFailed } from '../../../platform/outbound/outbound.ts'
import { newId } from '../../../platform/secrets.ts'
import { loadConnected } from './authorizations.ts'
import { recordBroken } from './health.ts'
import { saveCredentials } from './secrets.ts'
import { NoTokenGiven, TokenRefused } from './vendor-call.ts'

/** OAuth tokens with their expiry. Integrations may store further fields. */
export interface OAuthCredentials {
  access_token: string
  /** Null if access does not expire, as with a pasted token. */
  refresh_token: string | null
  /** Milliseconds since 1970. */
  expires_at: number | null
}

type Granted = ConnectedAuthorization<OAuthCredentials>

/** How tokens are renewed: with which app, and how long before they expire. */
export interface Renewal {
  app: () => Promise<OAuthApp>
  margin_ms?: number
}

const MARGIN_MS = 5 * 60_000
/** How long a caller waits while another one renews. Longer than a request of ours may take. */
const WAITED_MS = 15_000
const WAIT_MS = 150

/**
 * Calls the other system with a valid access token, and again with a new one if that is refused.
 * @throws Reconnect when the grant was revoked or has expired: the connection is then marked as broken
 */
export async function withFreshToken<Result>(
  context: Context,
  authorization: Granted,
  renewal: Renewal,
  work: (access_token: string) => Promise<Result>,
): Promise<Result> {
  const token = await freshToken(context, authorization, renewal)
  try {
    return await work(token)
  } catch (error) {
    if (!(error instanceof TokenRefused) || !authorization.credentials.refresh_token) throw error
    return work(await freshToken(context, authorization, renewal, token))
  }
}

/** An access token that is valid for a while, and not the refused one. */
async function freshToken(
  context: Context,
  authorization: Granted,
  renewal: Renewal,
  refused?: string,
): Promise<string> {
  const isFresh = ({ access_token, refresh_token, expires_at }: OAuthCredentials) =>
    access_token !== refused &&
    (!refresh_token || expires_at === null || expires_at > Date.now() + (renewal.margin_ms ?? MARGIN_MS))
  if (isFresh(authorization.credentials)) return authorization.credentials.access_token
  const { account_id, id } = authorization
  const [name, holder] = [`refresh ${id}`, newId()]
  for (const until = Date.now() + WAITED_MS; Date.now() < until; await sleep(WAIT_MS)) {
    const isOurs = await acquireLease(context.db, name, holder)
    try {
      // The previous holder of the lease may have renewed it.
      const current = await loadConnected<Granted>(context, account_id, id)
      if (!current) throw new ConnectionRevoked('This has been disconnected.')
      if (isFresh(current.credentials)) return current.credentials.access_token
      if (isOurs) return await renew(context, current, await renewal.app())
    } finally {
      if (isOurs) await releaseLease(context.db, name, holder)
    }
  }
  throw new RetryLater('The connection is being renewed. Try again in a minute.')
}

async function renew(context: Context, { account_id, id, credentials }: Granted, app: OAuthApp): Promise<string> {
  try {
    const { access_token, refresh_token, expires_at } = await refreshTokens(
      context.outbound,
      app,
      credentials.refresh_token!,
    )
    await context.change(async (tx) => {
      const row = await ofAccount(tx.db, account_id)
        .selectFrom('authorizations')
        .select('id')
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .forUpdate()
        .executeTakeFirst()
      if (!row) throw new ConnectionRevoked('This has been disconnected.')
      const renewed = { access_token, expires_at, refresh_token: refresh_token ?? credentials.refresh_token }
      await saveCredentials(tx, context.keys, { account_id, id }, { ...credentials, ...renewed })
    })
    return access_token
  } catch (error) {
    if (error instanceof OutboundFailed) throw new NoTokenGiven(error.message)
    if (!(error instanceof OAuthRefused)) throw error
    const sentence = `${app.vendor} no longer accepts this connection. Connect it again. ${error.message}`
    await context.change((tx) => recordBroken(context, tx, { account_id, id }, sentence))
    throw new ConnectionRevoked(sentence)
  }
}
