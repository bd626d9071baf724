import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { NotSignedIn, Refusal } from '../../errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of the body as they came, on calls that bear a signature. */
    rawBody: Buffer | undefined
    /** The call whose signature this request bears. */
    signedFor: Endpoint | undefined
    /** The accounts whose own secret signed it; undefined where the secret is that of the operator. */
    signedBy: string[] | undefined
  }
}

type Verdict = boolean | { account_ids: string[] }

/** How one system signs what it sends: a webhook of a vendor, for example. */
export interface SignatureScheme {
  /**
   * Whether somebody who holds the secret has sent just these bytes, lately. Compares in constant time. Where accounts have secrets of
   * their own, it answers with those that signed: the call must be believed about these alone, because each chooses its secret.
   */
  verify(request: Pick<FastifyRequest, 'headers' | 'url'>, rawBody: Buffer): Verdict | Promise<Verdict>
}

/** Schemes by the names that declarations of calls bear. */
export type SignatureSchemes = Record<string, SignatureScheme>

/** The scheme that a call names. A server that does not know it does not start. */
export function schemeOf({ path, signature = '' }: Endpoint, schemes: SignatureSchemes): SignatureScheme {
  const scheme = schemes[signature]
  if (!scheme) throw new Error(`${path} names the signature scheme "${signature}", which no feature provides.`)
  return scheme
}

interface Verification {
  endpoint: Endpoint
  scheme: SignatureScheme
  /** Of the body, in bytes. */
  limit: number
  /** Called before a call is refused for its signature. */
  onRefusal: () => void
}

/**
 * Keeps the body as it came and verifies its signature before any of it is parsed. Answers with the same bytes for the
 * parser.
 * @throws NotSignedIn for a signature that is missing or wrong
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
    throw new NotSignedIn(
      'The signature is missing, wrong or too old. Sign the body as it is sent, with the current secret.',
    )
  }
  request.rawBody = rawBody
  request.signedFor = endpoint
  if (typeof verdict === 'object') request.signedBy = verdict.account_ids
  return Object.assign(Readable.from(rawBody.length > 0 ? [rawBody] : []), { receivedEncodedLength: rawBody.length })
}
