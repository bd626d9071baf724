import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'

type Fields = Record<string, unknown>

export interface MattermostPost extends Fields {
  id: string
  channel_id: string
  user_id: string
  root_id: string
  message: string
  create_at: number
  edit_at: number
  delete_at: number
  props: Fields
  metadata: { files: { id: string; name: string }[] }
}

export const BOT_TOKEN = 'a-bot-token-of-mattermost'
const BOT = { id: 'bot00000000000000000000000', username: 'parley', email: 'parley@localhost' }
const TEAM = { id: 'team0000000000000000000000', name: 'acme', display_name: 'Acme' }

interface Person {
  username: string
  email: string
  first_name?: string
  last_name?: string
}

export type MattermostFault =
  | { status: number; headers?: Record<string, string> }
  | { kind: 'lose' }
  | { kind: 'hold'; until: Promise<void> }
type Fault = { call: string } & MattermostFault

/**
 * A Mattermost server on this machine: one team with its people and channels, live connections, and faults on demand.
 */
export class MattermostEmulator {
  url = ''
  readonly posts = new Map<string, MattermostPost>()
  readonly users = new Map<string, Person & { id: string }>()
  readonly channels = [
    { id: 'support0000000000000000000', name: 'support', display_name: 'Support', team_id: TEAM.id, type: 'O' },
    { id: 'secret00000000000000000000', name: 'secret', display_name: 'Secret', team_id: TEAM.id, type: 'P' },
  ]
  readonly files = new Map<string, Buffer>()
  token = BOT_TOKEN
  /** The fault of a call that no other method below was given one for, if any. */
  trouble: (call: string) => MattermostFault | undefined = () => undefined
  /** How many live connections were ever opened. */
  linesOpened = 0
  #takesLines = true
  #clock = Date.now()
  readonly #faults: Fault[] = []
  readonly #lines = new Set<WebSocket>()
  readonly #silent = new Set<WebSocket>()
  readonly #sockets = new WebSocketServer({ noServer: true })
  readonly #server = createServer((request, response) => {
    void this.#serve(request, response).catch((error) => response.writeHead(500).end(String(error)))
  })

  static async start(people: Person[]): Promise<MattermostEmulator> {
    const mattermost = new MattermostEmulator()
    for (const user of [BOT, ...people.map((each) => ({ ...each, id: newId() }))])
      mattermost.users.set(user.username, user)
    mattermost.#server.on('upgrade', (request, socket, head) => {
      if (!mattermost.#takesLines) return void socket.destroy()
      mattermost.#sockets.handleUpgrade(request, socket, head, (line) => mattermost.#letIn(line))
    })
    await new Promise<void>((ready) => mattermost.#server.listen(0, '127.0.0.1', ready))
    const address = mattermost.#server.address()
    mattermost.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    return mattermost
  }

  get support() {
    return this.channels[0]!
  }

  /** The next call that begins with this, such as `POST /posts`, is refused with a status. */
  fail(call: string, status: number, headers: Record<string, string> = {}): void {
    this.#faults.push({ call, status, headers })
  }

  /** The next such call is carried out, but its answer is lost. */
  lose(call: string): void {
    this.#faults.push({ call, kind: 'lose' })
  }

  /** The next such call is carried out, and answered once this is released. */
  holdAnswer(call: string): () => void {
    const { promise: until, resolve } = Promise.withResolvers<void>()
    this.#faults.push({ call, kind: 'hold', until })
    return resolve
  }

  faultsLeft(): number {
    return this.#faults.length
  }

  openLines(): number {
    return this.#lines.size
  }

  refuseLines(): void {
    this.#takesLines = false
    this.cutLines()
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

  acceptLines(): void {
    this.#takesLines = true
  }

  /** Posts of a thread, oldest first. */
  thread(root: string): MattermostPost[] {
    return [...this.posts.values()].filter((post) => (post.id === root || post.root_id === root) && !post.delete_at)
  }

  /** The first posts of threads, oldest first. */
  roots(): MattermostPost[] {
    return [...this.posts.values()].filter(({ root_id, delete_at }) => !root_id && !delete_at)
  }

  /** Somebody writes; the event goes to all live connections. */
  post(username: string, message: string, root_id: string, file?: { name: string; bytes: Buffer }): MattermostPost {
    const user_id = this.users.get(username)!.id
    const files = file ? [{ id: newId(), name: file.name, size: file.bytes.length }] : []
    if (file) this.files.set(files[0]!.id, file.bytes)
    return this.#keep({ channel_id: this.support.id, user_id, root_id, message, props: {}, files })
  }

  edit(id: string, message: string): void {
    const post = this.posts.get(id)!
    Object.assign(post, { message, edit_at: this.#time() })
    this.#publish('post_edited', post)
  }

  remove(id: string): void {
    const post = this.posts.get(id)!
    post.delete_at = this.#time()
    this.#publish('post_deleted', { ...post, delete_at: 0 })
  }

  /** Sends the event of a post once more. */
  sendAgain(id: string): void {
    this.#publish('posted', this.posts.get(id)!)
  }

  async close(): Promise<void> {
    this.refuseLines()
    for (const line of this.#silent) line.terminate()
    this.#sockets.close()
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  #keep({ files = [], ...post }: Fields & { files?: { id: string; name: string }[] }): MattermostPost {
    const times = { create_at: this.#time(), edit_at: 0, delete_at: 0 }
    const stored = { id: newId(), type: '', ...times, metadata: { files }, ...post } as unknown as MattermostPost
    this.posts.set(stored.id, stored)
    this.#publish('posted', stored)
    return stored
  }

  /** Sends an event to all live connections. */
  send(frame: Fields): void {
    for (const line of this.#lines) line.send(JSON.stringify(frame))
  }

  #publish(event: string, post: MattermostPost): void {
    this.send({ event, data: { post: JSON.stringify(post) }, broadcast: { channel_id: post.channel_id }, seq: 2 })
  }

  #letIn(line: WebSocket): void {
    line.on('error', () => undefined)
    line.on('close', () => this.#lines.delete(line))
    line.on('message', (bytes) => {
      const { seq, data } = JSON.parse(String(bytes)) as { seq: number; data: { token: string } }
      const isKnown = data.token === this.token
      line.send(JSON.stringify(isKnown ? { status: 'OK', seq_reply: seq } : { status: 'FAIL', seq_reply: seq }))
      if (!isKnown) return
      this.linesOpened++
      this.#lines.add(line)
    })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, this.url)
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const text = Buffer.concat(parts).toString()
    const path = pathname.replace('/api/v4', '')
    const called = `${request.method} ${path}`
    const index = this.#faults.findIndex(({ call }) => called.startsWith(call))
    const fault = index < 0 ? this.trouble(called) : this.#faults.splice(index, 1)[0]
    const isLetIn = request.headers.authorization === `Bearer ${this.token}`
    const sendError = (status: number, message: string, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ message, status_code: status }))
    if (fault && 'status' in fault) return void sendError(fault.status, 'Something went wrong.', fault.headers)
    if (!isLetIn) return void sendError(401, 'Invalid or expired session, please login again.')
    const answer = this.#answer(request.method!, path, searchParams, text ? (JSON.parse(text) as Fields) : {})
    if (fault?.kind === 'lose') return void request.socket.destroy()
    if (fault?.kind === 'hold') await fault.until
    if (answer === undefined) return void sendError(404, 'Unable to find it.')
    if (Buffer.isBuffer(answer)) return void response.end(answer)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

  /** Posts changed since a time, the latest 1,000; or a page of posts before a given one. */
  #list(channel_id: string, query: URLSearchParams): MattermostPost[] {
    const all = [...this.posts.values()]
      .filter((post) => post.channel_id === channel_id)
      .sort((a, b) => a.create_at - b.create_at)
    const [since, before] = [query.get('since'), query.get('before')]
    if (since !== null) {
      return all.filter((post) => Math.max(post.create_at, post.edit_at, post.delete_at) >= Number(since)).slice(-1_000)
    }
    const end = all.findIndex((post) => post.id === before)
    return all
      .filter(({ delete_at }, at) => !delete_at && (end < 0 || at < end))
      .slice(-Number(query.get('per_page') ?? 60))
  }

  #answer(method: string, path: string, query: URLSearchParams, body: Fields): unknown {
    const [kind, id = '', what] = path.slice(1).split('/')
    if (path === '/users/me') return BOT
    if (path === '/users/me/teams') return [TEAM]
    if (path.startsWith('/users/me/teams/')) return this.channels
    if (kind === 'teams') return what ? this.channels.filter(({ type }) => type === 'O') : TEAM
    if (kind === 'users') return [...this.users.values()].find((user) => user.id === id)
    if (kind === 'files') return this.files.get(id)
    if (kind === 'channels') {
      if (what !== 'posts') return this.channels.find((channel) => channel.id === id)
      return asList(this.#list(id, query))
    }
    if (path === '/posts') {
      return this.#keep({
        root_id: '',
        ...body,
        user_id: BOT.id,
        props: { ...(body.props as Fields), from_bot: 'true' },
      })
    }
    const post = this.posts.get(id)
    if (!post || post.delete_at) return undefined
    if (what === 'thread') return asList(this.thread(id))
    if (method === 'DELETE') {
      this.remove(id)
      return { status: 'OK' }
    }
    if (what === 'patch') this.edit(id, body.message as string)
    return post
  }

  /** Never the same twice, so that posts have a definite order. */
  #time(): number {
    this.#clock = Math.max(Date.now(), this.#clock + 1)
    return this.#clock
  }
}

function asList(posts: MattermostPost[]) {
  return { order: posts.map(({ id }) => id), posts: Object.fromEntries(posts.map((post) => [post.id, post])) }
}

function newId(): string {
  return randomBytes(13).toString('hex')
}
