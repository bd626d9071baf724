import { WebSocket } from 'ws'

interface Answer {
  id?: number
  type: 'success' | 'error' | 'event'
  method?: string
  params?: unknown
  result?: unknown
  message?: string
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/** A connection in WebDriver BiDi: commands with answers, and events. */
export class BidiConnection {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, Waiting>()
  #last = 0
  /** Called with each event. */
  onEvent: (method: string, params: unknown) => void = () => undefined

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (text) => this.#receive(JSON.parse(String(text))))
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The browser has closed the connection.'))
      this.#waiting.clear()
    })
  }

  static async open(url: string): Promise<BidiConnection> {
    const socket = new WebSocket(url)
    const connection = new BidiConnection(socket)
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject))
    return connection
  }

  send<R>(method: string, params: object = {}): Promise<R> {
    this.#last += 1
    const id = this.#last
    return new Promise<R>((resolve, reject) => {
      this.#waiting.set(id, { resolve: (result) => resolve(result as R), reject })
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }

  close() {
    this.#socket.close()
  }

  #receive({ id, type, method, params, result, message }: Answer) {
    if (type === 'event') return this.onEvent(method ?? '', params)
    const waiting = this.#waiting.get(id ?? -1)
    this.#waiting.delete(id ?? -1)
    if (type === 'error') waiting?.reject(new Error(message))
    else waiting?.resolve(result)
  }
}
