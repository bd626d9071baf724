import type { FastifyRequest } from 'fastify'
import { type Endpoint, onlyReads } from '#contract/endpoint.ts'
import { Forbidden, NotSignedIn } from '../../errors.ts'
import type { ApiKey } from '../caller.ts'

/**
 * Refuses callers that the call's declaration does not name.
 * @throws NotSignedIn, or Forbidden for an API key that may not make the call though its user may
 */
export function assertMayCall(
  endpoint: Endpoint,
  { caller, signedFor }: Pick<FastifyRequest, 'caller' | 'signedFor'>,
): void {
  const { who } = endpoint
  if (caller.kind === 'user' && caller.api_key) assertKeyMayCall(endpoint, caller.api_key)
  if (who === 'anyone') return
  if (who === 'signed') {
    // A `_method` in the body could select another call than the one whose signature was verified.
    if (signedFor !== endpoint) throw new NotSignedIn()
    return
  }
  if (caller.kind === 'anonymous') throw new NotSignedIn()
  const admitted = {
    visitor: caller.kind === 'visitor',
    user: caller.kind === 'user',
    admin: caller.kind === 'user' && caller.role === 'admin',
    'user or visitor': caller.kind === 'user' || caller.kind === 'visitor',
  }
  if (!admitted[who]) throw new NotSignedIn('Unauthorized access')
}

const NOT_FOR_FUNCTIONS =
  'Functions cannot do this: their keys read and write messages, customers and what belongs to them, and delete nothing. Call it with a personal API key from a program of your own.'

function assertKeyMayCall(endpoint: Endpoint, { scope }: ApiKey) {
  if (endpoint.session_only) throw new Forbidden('API keys cannot do this. Sign in with your password instead.')
  if (scope === 'function' && !endpoint.for_functions) {
    throw new Forbidden(NOT_FOR_FUNCTIONS)
  }
  if (scope === 'read' && !onlyReads(endpoint)) {
    throw new Forbidden('This API key is read-only. Use one with full access.')
  }
}
