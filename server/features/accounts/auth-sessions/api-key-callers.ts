import type { Db } from '../../../platform/db/change.ts'
import { findApiKey } from '../../developers/api-keys/api-keys.ts'
import { assertServed } from '../accounts/suspension.ts'
import { assertEnabled } from './auth-sessions.ts'

/**
 * The caller with an API key: a program that acts as the user who created it, with that user's current role. Undefined if
 * the key is unknown, deleted or expired.
 * @throws Refusal if the user is disabled, or the account suspended
 */
export async function findApiKeyCaller(db: Db, value: string, address: string) {
  const key = await findApiKey(db, value)
  if (!key) return undefined
  assertEnabled(key)
  assertServed(key)
  const { account_id, user_id, role, id, scope } = key
  return { kind: 'user' as const, address, account_id, user_id, role, api_key: { id, scope } }
}
