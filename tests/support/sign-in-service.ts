import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export interface SignInService {
  issuer: string
  /** The next person to sign in; a test may remove or change claims. */
  person: JWTPayload
  /** Signs with an unpublished key. */
  isImpostor: boolean
  /** Publishes a new key instead of the present one, as services do from time to time. */
  changeKeys(): Promise<void>
  close(): Promise<void>
}

/** A small OpenID Connect provider that signs everybody in without asking. */
export async function startSignInService(client: { id: string; secret: string }): Promise<SignInService> {
  let [own, foreign] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  let kid = 1
  const errands = new Map<string, { nonce: string; challenge: string }>()
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, service.issuer)
    const answer = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (pathname === '/.well-known/openid-configuration') {
      const at = (path: string) => `${service.issuer}${path}`
      return answer({
        issuer: service.issuer,
        authorization_endpoint: at('/authorize'),
        token_endpoint: at('/token'),
        jwks_uri: at('/keys'),
      })
    }
    if (pathname === '/keys')
      return answer({ keys: [{ ...(await exportJWK(own.publicKey)), kid: String(kid), alg: 'RS256' }] })
    if (pathname === '/authorize') {
      const code = randomUUID()
      errands.set(code, { nonce: searchParams.get('nonce')!, challenge: searchParams.get('code_challenge')! })
      const back = new URL(searchParams.get('redirect_uri')!)
      back.searchParams.set('code', code)
      back.searchParams.set('state', searchParams.get('state')!)
      return response.writeHead(302, { location: back.href }).end()
    }
    let body = ''
    for await (const part of request) body += part
    const form = new URLSearchParams(body)
    const errand = errands.get(form.get('code') ?? '')
    errands.delete(form.get('code') ?? '')
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(form.get('code_verifier') ?? ''))
    const isClient = credentialsOf(request.headers.authorization) === `${client.id}:${client.secret}`
    if (!errand || !isClient || Buffer.from(digest).toString('base64url') !== errand.challenge) {
      return response.writeHead(400).end('{"error":"invalid_grant"}')
    }
    const { privateKey } = service.isImpostor ? foreign : own
    const id_token = await new SignJWT({ nonce: errand.nonce, ...service.person })
      .setProtectedHeader({ alg: 'RS256', kid: String(kid) })
      .setIssuer(service.issuer)
      .setAudience(client.id)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    return answer({ id_token, access_token: randomUUID(), token_type: 'Bearer' })
  })
  const service: SignInService = {
    issuer: '',
    person: {},
    isImpostor: false,
    async changeKeys() {
      own = await generateKeyPair('RS256')
      kid++
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  service.issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return service
}

/** Client id and secret, each form-encoded (RFC 6749, 2.3.1). */
function credentialsOf(authorization = ''): string {
  const basic = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()
  return basic
    .split(':')
    .map((part) => new URLSearchParams(`part=${part}`).get('part'))
    .join(':')
}
