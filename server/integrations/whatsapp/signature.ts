import { createHmac, timingSafeEqual } from 'node:crypto'
import { isId } from '#contract/wire.ts'
import type { Context } from '../../context.ts'
import { readCredentials } from '../../features/connections/authorizations/secrets.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import type { SignatureScheme } from '../../platform/http/signatures.ts'
import type { WhatsappCredentials } from './client.ts'

/** Maximum number of an account's connections whose secrets are tried. */
const MAX_CONNECTIONS = 50

/** How Meta signs: the raw bytes, with the secret of the app of the account that the address names. */
export function whatsappSignature(context: Pick<Context, 'db' | 'keys'>): SignatureScheme {
  return {
    async verify({ headers, url }, rawBody) {
      const account_id = new URL(url, 'http://parley').searchParams.get('account')?.toLowerCase()
      const signature = headers['x-hub-signature-256']
      if (!account_id || !isId(account_id) || typeof signature !== 'string') return false
      const secrets = await listSecrets(context, account_id)
      const isSigned = secrets.some((secret) => isEqual(signature, signAsMeta(secret, rawBody)))
      return isSigned && { account_ids: [account_id] }
    },
  }
}

function signAsMeta(app_secret: string, rawBody: Buffer): string {
  return `sha256=${createHmac('sha256', app_secret).update(rawBody).digest('hex')}`
}

function isEqual(actual: string, expected: string): boolean {
  const [actualBytes, expectedBytes] = [Buffer.from(actual), Buffer.from(expected)]
  return actualBytes.length === expectedBytes.length && timingSafeEqual(actualBytes, expectedBytes)
}

async function listSecrets({ db, keys }: Pick<Context, 'db' | 'keys'>, account_id: string): Promise<string[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('authorizations')
    .select('id')
    .where('integration', '=', 'whatsapp')
    .where('removed_at', 'is', null)
    .limit(MAX_CONNECTIONS)
    .execute()
  const credentials = await Promise.all(rows.map(({ id }) => readCredentials(db, keys, { account_id, id })))
  return credentials.flatMap((entry) => (entry ? [(entry as unknown as WhatsappCredentials).app_secret] : []))
}
