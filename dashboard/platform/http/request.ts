import { addressOf, type CallInput } from '#contract/call.ts'
import type { Answer, Endpoint } from '#contract/endpoint.ts'

const TIMEOUT_MS = 30_000

/** Errors by field, as in the body of a 422. Nested lists are arrays of maps. */
export type FieldErrors = Record<string, unknown>

/** A call that was refused, or that did not reach the server (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  readonly errors: FieldErrors | undefined
  /** A code for programs, such as `outdated_view`. */
  readonly reason: string | undefined
  /** The text is the server's own, not that of a proxy or another system. */
  readonly isOurs: boolean
  /** The whole response body, for fields besides `error`. */
  readonly body: unknown

  constructor(status: number, message: string, body?: unknown) {
    super(message)
    this.status = status
    this.body = body
    const error = fieldOf(body, 'error')
    const errors = fieldOf(error, 'errors')
    const reason = fieldOf(error, 'reason')
    this.isOurs = typeof fieldOf(error, 'status') === 'number' && fieldOf(error, 'is_foreign') !== true
    this.errors = isRecord(errors) ? errors : undefined
    this.reason = typeof reason === 'string' ? reason : undefined
  }
}

/** The error of a call that did not reach the server. */
export function unreachable(): ApiError {
  return new ApiError(0, 'The server cannot be reached. Check your connection.')
}

/** Whether a retry may succeed: no network, or a server that is restarting or busy. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ApiError && [0, 429, 502, 503, 504].includes(error.status)
}

/** The input of a call. */
export type Input<E extends Endpoint> = CallInput<E> & {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Lets the call finish after the page is left. For small bodies: browsers allow 64 kB at a time. */
  keepalive?: boolean
}

/**
 * Makes a call with the given token, or without one. Responses are trusted to follow the contract, and are not parsed
 * again. Throws ApiError.
 */
export async function send<E extends Endpoint>(endpoint: E, input: Input<E>, token?: string): Promise<Answer<E>> {
  const headers: Record<string, string> = { accept: 'application/json', ...input.headers }
  if (token) headers.authorization = token
  if (input.body !== undefined) headers['content-type'] = 'application/json'
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  return answerOf(
    addressOf(endpoint.path, input.params, input.query),
    {
      method: endpoint.method,
      headers,
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
      keepalive: input.keepalive,
      signal: input.signal ? firstOf(input.signal, timeout) : timeout,
    },
    input.signal,
  )
}

/** Where a form goes, and what ends sending it. */
export interface FormInput {
  params?: Record<string, string>
  signal?: AbortSignal
}

/** Makes a call whose body is a form with a file. It has no time limit, because files may be large. Throws ApiError. */
export function sendForm<E extends Endpoint>(
  { method, path }: E,
  body: FormData,
  { params, signal }: FormInput,
  token: string,
): Promise<Answer<E>> {
  const headers = { accept: 'application/json', authorization: token }
  return answerOf(addressOf(path, params), { method, headers, body, signal }, signal)
}

/** `aborted` is the signal of the caller, whose reason is thrown; everything else means that the server was not reached. */
async function answerOf<E extends Endpoint>(
  address: string,
  init: RequestInit,
  aborted: AbortSignal | undefined,
): Promise<Answer<E>> {
  let response: Response
  try {
    response = await fetch(address, init)
  } catch (error) {
    if (aborted?.aborted) throw error
    throw unreachable()
  }
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw new ApiError(response.status, messageIn(body), body)
  return body as Answer<E>
}

/** Aborts with whichever aborts first. The oldest browsers lack `AbortSignal.any`. */
function firstOf(...signals: AbortSignal[]): AbortSignal {
  const first = new AbortController()
  for (const signal of signals) {
    const abort = () => first.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { signal: first.signal })
  }
  return first.signal
}

/** The server's error message, or an empty string. */
export function messageIn(body: unknown): string {
  const message = fieldOf(fieldOf(body, 'error'), 'message')
  return typeof message === 'string' ? message : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}
