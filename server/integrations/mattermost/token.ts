import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import { loadConnected } from '../../features/connections/authorizations/authorizations.ts'
import { acrossAccounts } from '../../platform/db/of-account.ts'
import type { SignatureScheme } from '../../platform/http/signatures.ts'
import type { Mattermost } from './authorization.ts'

/** Outgoing webhooks contain the verification token of their channel. */
export function mattermostToken(context: Pick<Context, 'db' | 'keys'>): SignatureScheme {
  return {
    async verify(_request, rawBody) {
      const { channel_id, token } = readCall(rawBody)
      return (await listNamed(context, channel_id, token)).length > 0
    },
  }
}

const CONNECTIONS = 5

/** Connections of a channel with this token. */
export async function listNamed(
  context: Pick<Context, 'db' | 'keys'>,
  channel_id: string | undefined,
  token: string | undefined,
): Promise<Mattermost[]> {
  if (!channel_id || !/^\w{1,64}$/.test(channel_id) || !token) return []
  const rows = await acrossAccounts(context.db, 'a post names its channel; the token then decides')
    .selectFrom('authorizations')
    .select(['account_id', 'id'])
    .where('integration', '=', 'mattermost')
    .where('address', 'like', `${channel_id.replaceAll('_', '\\_')} %`)
    .where('removed_at', 'is', null)
    .limit(CONNECTIONS)
    .execute()
  const loaded = await Promise.all(rows.map(({ account_id, id }) => loadConnected<Mattermost>(context, account_id, id)))
  return loaded
    .filter((connection) => connection !== undefined)
    .filter(({ credentials }) => timingSafeEqual(digest(credentials.verification_token), digest(token)))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The channel and token of a call: JSON or a form, depending on the webhook's settings. */
export function readCall(rawBody: Buffer): { channel_id?: string; token?: string } {
  const text = rawBody.toString('utf8')
  try {
    const { channel_id, token } = JSON.parse(text) as Record<string, unknown>
    return typeof channel_id === 'string' && typeof token === 'string' ? { channel_id, token } : {}
  } catch {
    const form = new URLSearchParams(text)
    const [channel_id, token] = [form.get('channel_id'), form.get('token')]
    return channel_id && token ? { channel_id, token } : {}
  }
}
