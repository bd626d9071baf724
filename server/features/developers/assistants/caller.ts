import { ASSISTANT_SCOPES, type AssistantScope } from '#contract/developers/assistants.ts'
import type { Context } from '../../../context.ts'
import type { User } from '../../../platform/caller.ts'
import { assertServed } from '../../accounts/accounts/suspension.ts'
import { findApiKeyCaller } from '../../accounts/auth-sessions/api-key-callers.ts'
import { assertEnabled } from '../../accounts/auth-sessions/auth-sessions.ts'
import { API_KEY_PREFIX } from '../api-keys/api-keys.ts'
import { ASSISTANT_PREFIX, findGrant } from './grants.ts'

/** A program that acts in a user's name over MCP. */
export interface AssistantCaller {
  /** Of the consent, or of the API key. */
  id: string
  name: string
  scopes: readonly AssistantScope[]
  caller: User
}

/**
 * Finds the holder of an assistant's token or of an API key. Undefined if it is unknown or expired.
 * @throws Refusal if the user is disabled, or the account suspended
 */
export async function findAssistant(
  { db }: Context,
  token: string,
  address: string,
): Promise<AssistantCaller | undefined> {
  if (token.startsWith(ASSISTANT_PREFIX)) {
    const grant = await findGrant(db, token)
    if (!grant) return undefined
    assertEnabled(grant)
    assertServed(grant)
    const { account_id, user_id, role, id, name, scopes } = grant
    return { id, name, scopes, caller: { kind: 'user', address, account_id, user_id, role } }
  }
  const caller = token.startsWith(API_KEY_PREFIX) ? await findApiKeyCaller(db, token, address) : undefined
  if (!caller || caller.api_key.scope === 'function') return undefined
  const { id, scope } = caller.api_key
  return { id, name: 'API key', scopes: scope === 'read' ? ['read'] : ASSISTANT_SCOPES, caller }
}
