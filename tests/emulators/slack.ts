import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { SlackTeam, type TeamSeed } from './slack-team.ts'

export const SIGNING_SECRET = 'a signing secret of Slack'
export const APP_ID = 'A0PARLEY1'
export const CLIENT = { id: '111.222', secret: 'a client secret of Slack' }

type Fields = Record<string, unknown>
export type SlackFault =
  | { kind: 'refuse'; error: string; needed?: string }
  | { kind: 'status'; status: number; retryAfter?: number }
  | { kind: 'hang' | 'lose' }
  | { kind: 'hold'; until: Promise<void> }

export interface SlackRequest {
  method: string
  token: string
  body: Record<string, string>
}

/** An event for the app, as sent over a connection or in the body of a call. */
export interface SlackEnvelope {
  type: 'events_api' | 'interactive'
  payload: Fields
}

/**
 * A Slack on this machine: an API with tokens, live connections, signed calls and faults on demand, in front of
 * emulated workspaces.
 */
export class SlackEmulator {
  url = ''
  /** All requests received. */
  readonly requests: SlackRequest[] = []
  readonly teams: SlackTeam[] = []
  /** All events sent to the app, so that one can be sent again. */
  readonly sent: SlackEnvelope[] = []
  /** The fault of a call that no other method below was given one for, if any. */
  trouble: (method: string) => SlackFault | undefined = () => undefined
  /** A server of ours that gets events by calls instead of over a live connection. */
  calls: string | undefined
  readonly #faults: { method: string; fault: SlackFault }[] = []
  /** Lifetime in seconds of tokens issued from now on; unlimited if undefined. */
  token_seconds: number | undefined
  readonly #revoked = new Set<string>()
  readonly #expired = new Set<string>()
  readonly #server = createServer((request, response) => {
    void this.#serve(request, response).catch((error) => response.writeHead(500).end(String(error)))
  })
  readonly #sockets = new WebSocketServer({ noServer: true })
  readonly #lines = new Set<WebSocket>()
  readonly #silent = new Set<WebSocket>()
  readonly #waiting = new Map<string, () => void>()
  #takesLines = true
  #number = 0

  static async start(...seeds: TeamSeed[]): Promise<SlackEmulator> {
    const slack = new SlackEmulator()
    slack.#server.on('upgrade', (request, socket, head) => {
      if (!slack.#takesLines) return void socket.destroy()
      slack.#sockets.handleUpgrade(request, socket, head, (line) => slack.#greet(line))
    })
    await new Promise<void>((ready) => slack.#server.listen(0, '127.0.0.1', ready))
    const address = slack.#server.address()
    slack.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    for (const seed of seeds) slack.teams.push(await SlackTeam.start(slack, seed))
    return slack
  }

  /** Settings of a server that uses it. */
  get settings(): Record<string, string> {
    return { SLACK_API_URL: this.url }
  }

  get team(): SlackTeam {
    return this.teams[0]!
  }

  /** The next calls of a method are refused with one of Slack's errors. */
  refuseCalls(method: string, error: string, { times = 1, needed }: { times?: number; needed?: string } = {}): void {
    for (let time = 0; time < times; time++) {
      this.#faults.push({ method, fault: { kind: 'refuse', error, ...(needed && { needed }) } })
    }
  }

  /** The next call is answered with a status, such as 429 with `Retry-After`. */
  fail(method: string, status: number, retryAfter?: number): void {
    this.#faults.push({ method, fault: { kind: 'status', status, ...(retryAfter !== undefined && { retryAfter }) } })
  }

  /** The next call is never answered. */
  hang(method: string): void {
    this.#faults.push({ method, fault: { kind: 'hang' } })
  }

  /** The next call is carried out, but its answer is lost. */
  lose(method: string): void {
    this.#faults.push({ method, fault: { kind: 'lose' } })
  }

  /** The next call is carried out, and answered once this is released. */
  holdAnswer(method: string): () => void {
    const { promise: until, resolve } = Promise.withResolvers<void>()
    this.#faults.push({ method, fault: { kind: 'hold', until } })
    return resolve
  }

  revoke(token: string): void {
    this.#revoked.add(token)
  }

  expire(token: string): void {
    this.#expired.add(token)
  }

  /** The tokens work again, as after reinstalling the app. */
  restore(): void {
    this.#revoked.clear()
    this.#faults.length = 0
  }

  openLines(): number {
    return this.#lines.size
  }

  /** Cuts all live connections, and refuses new ones until they are accepted again. */
  refuseLines(): void {
    this.#takesLines = false
    this.cutLines()
  }

  acceptLines(): void {
    this.#takesLines = true
  }

  /** The open connections stay open, but nothing is sent over them or read from them any more. */
  silenceLines(): void {
    for (const line of this.#lines) {
      line.pause()
      this.#silent.add(line)
    }
    this.#lines.clear()
  }

  cutLines(): void {
    for (const line of this.#lines) line.terminate()
  }

  /** Asks the client to reconnect, as Slack does every few hours. */
  refresh(reason = 'refresh_requested'): void {
    for (const line of this.#lines) line.send(JSON.stringify({ type: 'disconnect', reason }))
  }

  /** The requests of one method, such as `chat.postMessage`. */
  requestsTo(method: string): Record<string, string>[] {
    return this.requests.filter((request) => request.method === method).map(({ body }) => body)
  }

  /**
   * Sends an event to the app over a live connection or by a signed call. True once the app has acknowledged it;
   * nothing is sent when no connection is open.
   */
  async send(envelope: SlackEnvelope, repeat?: number): Promise<boolean> {
    if (repeat === undefined) this.sent.push(envelope)
    return this.calls ? this.#call(this.calls, envelope, repeat) : this.#send(envelope, repeat)
  }

  /** Signs a body as Slack does, optionally with a time in the past. */
  sign(body: string, { secret = SIGNING_SECRET, age = 0 } = {}): Record<string, string> {
    const time = String(Math.floor(Date.now() / 1000) - age)
    const sum = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')
    return { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${sum}` }
  }

  async close(): Promise<void> {
    this.cutLines()
    for (const line of this.#silent) line.terminate()
    this.#sockets.close()
    await Promise.all(this.teams.map((team) => team.close()))
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  async #call(server: string, { type, payload }: SlackEnvelope, repeat?: number): Promise<boolean> {
    const isAction = type === 'interactive'
    const text = JSON.stringify(payload)
    const body = isAction ? new URLSearchParams({ payload: text }).toString() : text
    const headers = {
      ...this.sign(body),
      'content-type': isAction ? 'application/x-www-form-urlencoded' : 'application/json',
      ...(repeat !== undefined && { 'x-slack-retry-num': String(repeat), 'x-slack-retry-reason': 'http_timeout' }),
    }
    const path = isAction ? 'actions' : 'webhook'
    const answer = await fetch(`${server}/api/slack/${path}`, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    return answer.ok
  }

  #send({ type, payload }: SlackEnvelope, repeat = 0): Promise<boolean> {
    const [line] = this.#lines
    if (!line) return Promise.resolve(false)
    const envelope_id = `envelope-${++this.#number}`
    const answered = new Promise<boolean>((resolve) => {
      this.#waiting.set(envelope_id, () => resolve(true))
      line.once('close', () => resolve(false))
    })
    line.send(JSON.stringify({ type, envelope_id, payload, accepts_response_payload: false, retry_attempt: repeat }))
    return answered
  }

  #greet(line: WebSocket): void {
    this.#lines.add(line)
    // Every event waits for its acknowledgement or for the end of the connection.
    line.setMaxListeners(0)
    // Slack sends a ping every few seconds.
    const ping = setInterval(() => this.#lines.has(line) && line.ping(), 200).unref()
    line.on('close', () => {
      clearInterval(ping)
      this.#lines.delete(line)
    })
    line.on('error', () => undefined)
    line.on('message', (bytes) => {
      const { envelope_id } = JSON.parse(String(bytes)) as { envelope_id?: string }
      this.#waiting.get(envelope_id ?? '')?.()
    })
    const connection_info = { app_id: APP_ID }
    line.send(JSON.stringify({ type: 'hello', num_connections: this.#lines.size, connection_info }))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url!, this.url)
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const raw = Buffer.concat(parts)
    const token = (request.headers.authorization ?? '').replace(/^Bearer /, '')
    if (!pathname.startsWith('/api/')) return this.#pass(request, response, `${pathname}${search}`, raw, token)
    const method = pathname.replace('/api/', '')
    const body = Object.fromEntries(new URLSearchParams(raw.toString()))
    this.requests.push({ method, token, body })
    const fault = this.#nextFault(method)
    if (fault?.kind === 'hang') return
    if (fault?.kind === 'status') {
      const headers = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }
      response.writeHead(fault.status, headers).end('')
      return
    }
    const answer =
      fault?.kind === 'refuse' ? { ok: false, ...fault } : await this.#answer(method, token, body, raw.toString())
    if (fault?.kind === 'lose') return void request.socket.destroy()
    if (fault?.kind === 'hold') await fault.until
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

  #nextFault(method: string): SlackFault | undefined {
    const index = this.#faults.findIndex((entry) => entry.method === method)
    return index < 0 ? this.trouble(method) : this.#faults.splice(index, 1)[0]!.fault
  }

  async #answer(method: string, token: string, body: Record<string, string>, raw: string): Promise<Fields> {
    if (method === 'oauth.v2.access') {
      return body.grant_type === 'refresh_token' ? this.team.renew(body.refresh_token!) : this.team.exchange(raw)
    }
    if (this.#expired.has(token)) return { ok: false, error: 'token_expired' }
    if (this.#revoked.has(token)) return { ok: false, error: 'token_revoked' }
    const team = this.teams.find((candidate) => candidate.knows(token))
    if (!team) return { ok: false, error: 'invalid_auth' }
    if (method === 'apps.connections.open') {
      return token.startsWith('xapp-')
        ? { ok: true, url: `${this.url.replace('http', 'ws')}/link?ticket=${++this.#number}` }
        : { ok: false, error: 'not_allowed_token_type' }
    }
    if (method === 'auth.revoke' || method === 'apps.uninstall') {
      this.revoke(token)
      return { ok: true, revoked: true }
    }
    if (token.startsWith('xapp-')) return { ok: false, error: 'not_allowed_token_type' }
    return team.answer(method, token, body)
  }

  /** Forwards requests for consent pages and files. */
  async #pass(request: IncomingMessage, response: ServerResponse, path: string, raw: Buffer, token: string) {
    const team = this.teams.find((candidate) => candidate.knows(token)) ?? this.team
    const file = path.startsWith('/files-pri/') ? team.files.get(path) : undefined
    if (path.startsWith('/files-pri/')) {
      const isLetIn = team.knows(token) && !this.#revoked.has(token)
      if (!file || !isLetIn) return void response.writeHead(302, { location: '/signin' }).end('')
      return void response.writeHead(200, { 'content-type': file.mimetype }).end(file.bytes)
    }
    const answer = await fetch(`${team.behind}${path}`, {
      method: request.method!,
      headers: { 'content-type': request.headers['content-type'] ?? 'text/plain' },
      ...(raw.length > 0 && { body: new Uint8Array(raw) }),
      redirect: 'manual',
    })
    const location = answer.headers.get('location')
    const type = answer.headers.get('content-type') ?? 'text/html'
    response.writeHead(answer.status, { 'content-type': type, ...(location && { location }) })
    response.end(Buffer.from(await answer.arrayBuffer()))
  }
}
