import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { NotSignedIn, Refusal } from '../../errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The raw body, on signed calls. */
    rawBody: Buffer | undefined
    /** The call whose signature was verified for this request. */
    signedFor: Endpoint | undefined
    /** The accounts whose own secret signed it; undefined for the operator's secret. */
    signedBy: string[] | undefined
  }
}

type Verdict = boolean | { account_ids: string[] }

/** How one system signs its calls, for example a vendor's webhook. */
export interface SignatureScheme {
  /**
   * Whether a holder of the secret has recently sent exactly these bytes. Compares in constant time. If accounts have
   * their own secrets, returns those that signed: the call may only be trusted for these, because each account chooses
   * its secret.
   */
  verify(request: Pick<FastifyRequest, 'headers' | 'url'>, rawBody: Buffer): Verdict | Promise<Verdict>
}

/** Schemes by the names in declarations. */
export type SignatureSchemes = Record<string, SignatureScheme>

/** The scheme of a call. With an unknown scheme the server does not start. */
export function schemeOf({ path, signature = '' }: Endpoint, schemes: SignatureSchemes): SignatureScheme {
  const scheme = schemes[signature]
  if (!scheme) throw new Error(`${path} names the signature scheme "${signature}", which no feature provides.`)
  return scheme
}

interface Verification {
  endpoint: Endpoint
  scheme: SignatureScheme
  /** Maximum size of the body in bytes. */
  limit: number
  /** Called before a call is refused for its signature. */
  onRefusal: () => void
}

/**
 * Keeps the raw body and verifies its signature before any of it is parsed. Returns the same bytes for the parser.
 * @throws NotSignedIn for a missing or wrong signature
 */
export async function verifyBody(
  request: FastifyRequest,
  body: AsyncIterable<Buffer>,
  { endpoint, scheme, limit, onRefusal }: Verification,
): Promise<Readable> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > limit) throw new Refusal(413, 'The body is too large.')
    pieces.push(piece)
  }
  const rawBody = Buffer.concat(pieces)
  const verdict = await scheme.verify(request, rawBody)
  if (verdict === false) {
    onRefusal()
    throw new NotSignedIn('The signature is missing, wrong or too old. Sign the exact body with the current secret.')
  }
  request.rawBody = rawBody
  request.signedFor = endpoint
  if (typeof verdict === 'object') request.signedBy = verdict.account_ids
  return Object.assign(Readable.from(rawBody.length > 0 ? [rawBody] : []), { receivedEncodedLength: rawBody.length })
}
