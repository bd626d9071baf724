import { createECDH, createPublicKey, type ECDH, randomBytes, randomUUID, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decrypt } from 'http_ece'
import type { PushPayload, PushSubscription } from '#contract/conversations/push.ts'

/** A push that reached the service, decrypted as the browser would. */
export interface Push {
  endpoint: string
  payload: PushPayload
  headers: IncomingMessage['headers']
  /** The claims of the token with which the sender identified itself. */
  claims: { aud: string; exp: number; sub: string }
  /** In epoch milliseconds. */
  at: number
}

/** What the service answers instead of 201, and whether the device gets the push nevertheless. */
export interface PushAnswer {
  status: number
  headers?: Record<string, string>
  body?: string
  isDelivered?: boolean
  /** The connection is cut instead of an answer. */
  isLost?: boolean
}

/** A push service on this machine that stands for all of them. */
export interface PushService {
  url: string
  /** Accepted pushes, in order; several times what is repeated. */
  pushes: Push[]
  /** What is wrong with requests: bad signatures, headers, or bodies that nobody can decrypt. */
  mistakes: string[]
  /** Subscribes a browser, at the host of any push service. */
  subscribe(host?: string): PushSubscription
  /** Pushes to this subscription. */
  pushesTo(subscription: PushSubscription): Push[]
  /** Sets what is answered; undefined is 201. */
  answer(next: (endpoint: string) => PushAnswer | undefined): void
  /** Cuts all connections and accepts none until it comes back, at the same address. */
  die(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

interface Browser {
  ecdh: ECDH
  auth: string
}

/** Starts the service. Servers whose PUSH_SERVICE_URL names it send there what is for any push service. */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, Browser>()
  const pushes: Push[] = []
  const mistakes: string[] = []
  let answer: (endpoint: string) => PushAnswer | undefined = () => undefined

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const endpoint = `https://${request.url!.slice(1)}`
    const next = answer(endpoint)
    const browser = browsers.get(endpoint)
    if (!browser) return void response.writeHead(404).end()
    if (!next || next.isDelivered || next.status < 300) {
      const push = readPush(endpoint, browser, request, Buffer.concat(pieces))
      if (typeof push === 'string') {
        mistakes.push(push)
        return void response.writeHead(400).end(push)
      }
      pushes.push(push)
    }
    if (next?.isLost) return void request.socket.destroy()
    response.writeHead(next?.status ?? 201, next?.headers).end(next?.body)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error) => {
      // A sender that was killed sends half a request.
      if (!request.complete) return
      mistakes.push(String(error))
      response.writeHead(500).end()
    })
  })
  const listen = (at: number) => new Promise<void>((done) => server.listen(at, '127.0.0.1', done))
  await listen(0)
  const { port } = server.address() as AddressInfo
  async function close() {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    pushes,
    mistakes,
    subscribe(host = 'push.example.com') {
      const ecdh = createECDH('prime256v1')
      const p256dh = ecdh.generateKeys('base64url')
      const auth = randomBytes(16).toString('base64url')
      const endpoint = `https://${host}/send/${randomUUID()}`
      browsers.set(endpoint, { ecdh, auth })
      return { endpoint, keys: { p256dh, auth } }
    },
    pushesTo: ({ endpoint }) => pushes.filter((push) => push.endpoint === endpoint),
    answer(next) {
      answer = next
    },
    die: close,
    comeBack: () => listen(port),
    close,
  }
}

/** The push in a request, or what is wrong with it. */
function readPush(endpoint: string, { ecdh, auth }: Browser, { method, headers }: IncomingMessage, body: Buffer) {
  if (method !== 'POST') return `The method is ${method}.`
  if (headers['content-encoding'] !== 'aes128gcm') return 'The encoding is missing.'
  if (!/^\d+$/.test(headers.ttl as string)) return 'TTL is missing.'
  if (!/^[\w-]{1,32}$/.test((headers.topic as string) ?? '-')) return 'The topic is no base64url of 32 characters.'
  if (body.length > 4_096) return `The body has ${body.length} bytes.`
  const claims = readClaims(headers.authorization ?? '')
  if (!claims) return 'The signature is wrong.'
  if (claims.aud !== new URL(endpoint).origin) return `The token is for ${claims.aud}.`
  const seconds = claims.exp - Date.now() / 1_000
  if (seconds <= 0 || seconds > 86_400) return 'The token has expired, or lives too long.'
  if (!/^mailto:[^@\s<>]+@[\w-]+(\.[\w-]+)+$/.test(claims.sub)) return `The sender is ${claims.sub}.`
  const text = decrypt(body, { version: 'aes128gcm', privateKey: ecdh, authSecret: auth }).toString()
  const payload: PushPayload = JSON.parse(text)
  return { endpoint, payload, headers, claims, at: Date.now() } satisfies Push
}

/** The claims of a signed token (RFC 8292); undefined if its signature is not that of its key. */
function readClaims(authorization: string): Push['claims'] | undefined {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const raw = Buffer.from(key, 'base64url')
  if (raw.length !== 65) return undefined
  const [x, y] = [raw.subarray(1, 33), raw.subarray(33)].map((part) => part.toString('base64url'))
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x!, y: y! } })
  const signed = Buffer.from(`${header}.${claims}`)
  const isValid = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return isValid ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : undefined
}
