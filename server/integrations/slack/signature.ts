import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import { findApp } from '../../features/connections/authorizations/apps.ts'
import type { Db } from '../../platform/db/change.ts'
import { acrossAccounts } from '../../platform/db/of-account.ts'
import type { SignatureScheme } from '../../platform/http/signatures.ts'
import { SLACK_INTEGRATIONS } from './authorization.ts'
import { parseCall, readNamed } from './events.ts'
import { isNamed } from './targets.ts'

/** Maximum age of a signed call in seconds. */
const TOLERANCE = 300
/** Maximum number of accounts with their own apps that are tried for one workspace. */
const APPS = 20

/**
 * How Slack signs: the time, and an HMAC of it with the body. The secret is that of the operator's app, or of an
 * account's own app in which the workspace is connected.
 */
export function slackSignature(context: Pick<Context, 'config' | 'db' | 'keys'>): SignatureScheme {
  return {
    async verify({ headers }, rawBody) {
      const { 'x-slack-request-timestamp': time, 'x-slack-signature': signature } = headers
      if (typeof time !== 'string' || typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature))
        return false
      if (!/^\d{1,12}$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > TOLERANCE) return false
      const isSignedBy = (secret: string) => {
        const sum = createHmac('sha256', secret).update(`v0:${time}:`).update(rawBody).digest('hex')
        return timingSafeEqual(Buffer.from(`v0=${sum}`), Buffer.from(signature))
      }
      const { slackSigningSecret } = context.config
      if (slackSigningSecret && isSignedBy(slackSigningSecret)) return true
      const signing = (await listSecrets(context, rawBody)).filter(({ secret }) => isSignedBy(secret))
      return signing.length > 0 && { account_ids: signing.map(({ account_id }) => account_id) }
    },
  }
}

/**
 * Signing secrets of accounts with their own apps in which a workspace named by the body is connected. A call is only
 * trusted for the accounts whose secret signed it.
 */
async function listSecrets(
  context: Pick<Context, 'config' | 'db' | 'keys'>,
  rawBody: Buffer,
): Promise<{ account_id: string; secret: string }[]> {
  const call = parseCall(rawBody.toString('utf8'))
  const rows = await (isChallenge(call) ? listNewestApps(context.db) : listConnected(context.db, call))
  const secrets = rows.map(async ({ account_id }) => {
    const secret = (await findApp(context, account_id, 'slack'))?.signing_secret
    return secret ? [{ account_id, secret }] : []
  })
  return (await Promise.all(secrets)).flat()
}

function listConnected(db: Db, call: unknown): Promise<{ account_id: string }[]> {
  return acrossAccounts(db, 'an event names its workspace; the signature then decides')
    .selectFrom('authorizations')
    .select('account_id')
    .distinct()
    .where('integration', 'in', SLACK_INTEGRATIONS)
    .where(isNamed(readNamed(call)))
    .where('removed_at', 'is', null)
    .limit(APPS)
    .execute()
}

/**
 * Slack tests an address before accepting it, without naming a workspace: so the most recently stored apps are tried.
 */
function listNewestApps(db: Db): Promise<{ account_id: string }[]> {
  return acrossAccounts(db, 'Slack tests an address without naming anybody')
    .selectFrom('integration_apps')
    .select('account_id')
    .where('vendor', '=', 'slack')
    .orderBy('updated_at', 'desc')
    .limit(APPS)
    .execute()
}

function isChallenge(call: unknown): boolean {
  return (call as { type?: unknown } | undefined)?.type === 'url_verification'
}
