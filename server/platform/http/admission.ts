import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { Forbidden, NotSignedIn } from '../../errors.ts'

/**
 * Lets nobody through whom the declaration of a call does not name.
 * @throws NotSignedIn, or Forbidden for an API key without the scope
 */
export function admit(endpoint: Endpoint, { caller, signedFor }: Pick<FastifyRequest, 'caller' | 'signedFor'>): void {
  const { who, scope } = endpoint
  if (who === 'anyone') return
  if (who === 'signed') {
    // Whatever the body says of the method, the signature was verified for one call.
    if (signedFor !== endpoint) throw new NotSignedIn()
    return
  }
  if (caller.kind === 'anonymous') throw new NotSignedIn()
  if (who === 'api_key' && caller.kind === 'api_key' && !caller.scopes.includes(scope ?? '')) {
    throw new Forbidden(`This API key lacks the scope ${scope}. Give it the scope, or use another key.`)
  }
  const admitted = {
    api_key: caller.kind === 'api_key',
    visitor: caller.kind === 'visitor',
    user: caller.kind === 'user',
    admin: caller.kind === 'user' && caller.role === 'admin',
    'user or visitor': caller.kind === 'user' || caller.kind === 'visitor',
  }
  if (!admitted[who]) throw new NotSignedIn('Unauthorized access')
}
