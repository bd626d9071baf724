import { ConnectionError, errorOf, ParleyError, type Refusal } from './errors.ts'

/**
 * How one call is made: method, path, where what is given goes (`query`, `body` or `form`), in what it is wrapped, and what
 * comes back: a whole body, its `data`, pages of it, text, or nothing.
 */
export type Call = readonly [
  method: string,
  path: string,
  takes: '' | 'query' | 'body' | 'form',
  wrap: string,
  gives: 'whole' | 'data' | 'pages' | 'numbered pages' | 'text' | 'nothing',
]

/** What may be said to a single call. */
export interface Options {
  /** Ends the call, and the waiting before another try. */
  signal?: AbortSignal
  /**
   * By which the server knows a repeat of a call that writes; one is made if none is given. Give your own to make sure that
   * something is done once although your program may stop in between.
   */
  idempotencyKey?: string
  /** The `etag` of what was read. Where it has changed since, the update is refused with a `ConflictError`. */
  ifMatch?: string
}

/** Where the server is, who calls, and how patiently. */
export interface Settings {
  /** An API key. Without it `PARLEY_API_KEY` of the environment counts. */
  key?: string
  /** The address of your Parley, such as `https://support.example.com`. Without it `PARLEY_HOST` of the environment counts. */
  host?: string
  /** How often a call is made again that was not answered, or with 429 or 5xx. Three times if nothing is said. */
  retries?: number
  /** How many milliseconds one try may take. Thirty seconds if nothing is said. */
  timeout?: number
  /** Another `fetch` than that of the platform. */
  fetch?: typeof fetch
}

type Given = Record<string, unknown>
export type Send = (call: Call, parameters: string[], input: Given | undefined, options?: Options) => Promise<unknown>

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 20_000
/** The first request with the same key is still at work; the other 409 will not change. */
const AT_WORK = 'request_at_work'

/** Makes calls, and makes them again where that can help and does no harm. */
export function createSend({ key, host, retries = 3, timeout = 30_000, fetch: send = fetch }: Settings): Send {
  const base = required('host', 'PARLEY_HOST', host).replace(/\/+$/, '')
  const authorization = `Bearer ${required('key', 'PARLEY_API_KEY', key)}`
  return async ([method, path, takes, wrap, gives], parameters, input, options = {}) => {
    const address = base + fill(path, parameters) + (takes === 'query' ? search(input) : '')
    const headers = new Headers({ authorization, accept: 'application/json' })
    if (method !== 'GET') headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID())
    if (options.ifMatch) headers.set('if-match', options.ifMatch)
    if (takes === 'body') headers.set('content-type', 'application/json')
    const body = bodyOf(takes, wrap, input)
    for (let tries = 0; ; tries++) {
      const end = AbortSignal.timeout(timeout)
      const signal = options.signal ? AbortSignal.any([options.signal, end]) : end
      try {
        const response = await send(address, { method, headers, body, signal, redirect: 'error' })
        if (response.ok) return await read(response, gives)
        const refusal = (await response.json().catch(() => undefined)) as { error?: Refusal } | undefined
        throw errorOf(response, refusal?.error)
      } catch (error) {
        options.signal?.throwIfAborted()
        const failure = error instanceof ParleyError ? error : undefined
        if (failure && !canHelp(failure.status, failure.reason)) throw failure
        if (tries >= retries) throw failure ?? new ConnectionError(address, error)
        await wait(failure?.retryAfterMs ?? FIRST_WAIT_MS * 2 ** tries * (0.5 + Math.random() / 2), options.signal)
      }
    }
  }
}

/** Whether another try may be answered otherwise. */
function canHelp(status: number, reason: string | undefined): boolean {
  return status === 429 || status >= 500 || (status === 409 && reason === AT_WORK)
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(ms, LONGEST_WAIT_MS),
    )
    signal?.addEventListener('abort', stop, { once: true })
  })
}

async function read(response: Response, gives: Call[4]): Promise<unknown> {
  if (gives === 'nothing') return void (await response.arrayBuffer())
  if (gives === 'text') return response.text()
  const body = (await response.json()) as Given
  return gives === 'data' ? body.data : body
}

function fill(path: string, parameters: string[]): string {
  let at = 0
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(parameters[at++] ?? ''))
}

function search(input: Given = {}): string {
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]) => [name, value === null ? '' : String(value)]))
  return given.length > 0 ? `?${query}` : ''
}

function bodyOf(takes: Call[2], wrap: string, input: Given | undefined): string | FormData | null {
  if (takes === 'form') return form(input)
  return takes === 'body' ? JSON.stringify(wrap ? { [wrap]: input } : (input ?? {})) : null
}

function form(input: Given = {}): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(input)) {
    if (value instanceof Blob)
      data.append(name, value, value instanceof File ? value.name : String(input.filename ?? 'file'))
    else if (value !== undefined && value !== null) data.append(name, String(value))
  }
  return data
}

function required(name: string, variable: string, given: string | undefined): string {
  const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env
  const value = given ?? environment?.[variable]
  if (!value) throw new TypeError(`Parley needs a ${name}: give it as \`${name}\`, or set ${variable}.`)
  return value
}
