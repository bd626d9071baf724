import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import { readCredentials } from '../../features/connections/authorizations/secrets.ts'
import { acrossAccounts } from '../../platform/db/of-account.ts'
import type { SignatureScheme } from '../../platform/http/signatures.ts'
import type { TwilioCredentials } from './client.ts'

export const ACCOUNT_SID = /^AC[0-9a-f]{32}$/
/** Twilio's connection override that makes it retry failed calls. The signed address may or may not include it. */
export const REPEATS = '#rc=3&rp=all'
/** Maximum number of connections of one Twilio account whose tokens are tried. */
const MAX_CONNECTIONS = 50

/**
 * How Twilio signs: the public address and all fields, with the account's token. Each token is only trusted for the
 * accounts that have connected with it.
 */
export function twilioSignature(context: Pick<Context, 'config' | 'db' | 'keys'>): SignatureScheme {
  return {
    async verify({ headers, url }, rawBody) {
      const signature = headers['x-twilio-signature']
      const fields = new URLSearchParams(rawBody.toString())
      const account_sid = fields.get('AccountSid') ?? ''
      if (typeof signature !== 'string' || !ACCOUNT_SID.test(account_sid)) return false
      const address = `${context.config.baseUrl}${url}`
      const connections = await listTokens(context, account_sid)
      const signing = connections.filter(({ auth_token }) =>
        [address, address + REPEATS].some((candidate) => isEqual(signature, signTwilio(auth_token, candidate, fields))),
      )
      return signing.length > 0 && { account_ids: signing.map(({ account_id }) => account_id) }
    },
  }
}

/** The signature of a call: the address, then names and values sorted by name. */
export function signTwilio(auth_token: string, address: string, fields: URLSearchParams): string {
  const pairs = [...new Set([...fields].map(([name, value]) => `${name}\u0000${value}`))].sort()
  const text = address + pairs.map((pair) => pair.replace('\u0000', '')).join('')
  return createHmac('sha1', auth_token).update(text).digest('base64')
}

function isEqual(actual: string, expected: string): boolean {
  const [actualBytes, expectedBytes] = [Buffer.from(actual), Buffer.from(expected)]
  return actualBytes.length === expectedBytes.length && timingSafeEqual(actualBytes, expectedBytes)
}

async function listTokens({ db, keys }: Pick<Context, 'db' | 'keys'>, account_sid: string) {
  const rows = await acrossAccounts(db, 'a call names its Twilio account; the signature then decides')
    .selectFrom('authorizations')
    .select(['account_id', 'id'])
    .where('integration', '=', 'twilio')
    .where('address', 'like', `${account_sid}/%`)
    .where('removed_at', 'is', null)
    .limit(MAX_CONNECTIONS)
    .execute()
  const tokens = rows.map(async ({ account_id, id }) => {
    const credentials = (await readCredentials(db, keys, { account_id, id })) as TwilioCredentials | undefined
    return credentials ? [{ account_id, auth_token: credentials.auth_token }] : []
  })
  return (await Promise.all(tokens)).flat()
}
