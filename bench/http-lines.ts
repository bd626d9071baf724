import { connect, type Socket } from 'node:net'

/** Servers close connections that were idle for five seconds. */
const MAX_IDLE_MS = 3_000

interface Answer {
  status: number
  text: string
}

/**
 * Requests over kept-alive connections, as many as are needed at once, with far less overhead than `fetch`: a bench
 * competes with the server for the processor.
 */
export class HttpLines {
  readonly #url: URL
  readonly #idle: Line[] = []

  constructor(url: string) {
    this.#url = new URL(url)
  }

  /** @throws Error with the answer's text unless it has the expected status */
  async request(method: string, path: string, token: string, body?: object, expected = 200): Promise<string> {
    const json = body ? JSON.stringify(body) : ''
    const content = body ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n` : ''
    const line = this.#takeIdle() ?? (await Line.open(this.#url))
    const { status, text } = await line.send(
      `${method} ${path} HTTP/1.1\r\nhost: ${this.#url.host}\r\nauthorization: ${token}\r\n${content}\r\n${json}`,
    )
    this.#idle.push(line)
    if (status !== expected) throw new Error(text)
    return text
  }

  close() {
    for (const line of this.#idle.splice(0)) line.close()
  }

  #takeIdle(): Line | undefined {
    for (;;) {
      const line = this.#idle.pop()
      if (!line || line.isUsable) return line
      line.close()
    }
  }
}

/** One connection with one request at a time. Answers need a `content-length`. */
class Line {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #usedAt = performance.now()
  #pending: { resolve(answer: Answer): void; reject(error: Error): void } | undefined

  static open({ hostname, port }: URL): Promise<Line> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new Line(socket))).once('error', reject)
    })
  }

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#receive(chunk))
    socket.on('close', () => this.#pending?.reject(new Error('The server closed the connection.')))
  }

  get isUsable(): boolean {
    return !this.#socket.destroyed && performance.now() - this.#usedAt < MAX_IDLE_MS
  }

  send(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close() {
    this.#socket.destroy()
  }

  #receive(chunk: Buffer) {
    this.#received = this.#received.length > 0 ? Buffer.concat([this.#received, chunk]) : chunk
    const end = this.#received.indexOf('\r\n\r\n')
    if (end === -1) return
    const head = this.#received.toString('latin1', 0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (this.#received.length < end + 4 + length) return
    const text = this.#received.toString('utf8', end + 4, end + 4 + length)
    this.#received = Buffer.alloc(0)
    this.#usedAt = performance.now()
    this.#pending?.resolve({ status: Number(head.slice(9, 12)), text })
    this.#pending = undefined
  }
}
