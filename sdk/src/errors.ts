/** The body of an error response: a message, a reason for programs, and errors by field. */
export interface Refusal {
  message?: string
  reason?: string
  errors?: Record<string, string[]>
}

/** A refused call, with the server's message. */
export class ParleyError extends Error {
  override name = 'ParleyError'
  readonly status: number
  /** A stable code for the kind of error. */
  readonly reason: string | undefined
  /** Messages by field. */
  readonly errors: Record<string, string[]>
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined
  /** When to try again, in milliseconds from now. */
  readonly retryAfterMs: number | undefined

  constructor(
    { status, headers }: Pick<Response, 'status' | 'headers'>,
    { message, reason, errors = {} }: Refusal = {},
  ) {
    super(message ?? `The server answered ${status}.`)
    this.status = status
    this.reason = reason
    this.errors = errors
    this.requestId = headers.get('x-request-id') ?? undefined
    const seconds = Number.parseFloat(headers.get('retry-after') ?? '')
    this.retryAfterMs = Number.isNaN(seconds) ? undefined : seconds * 1000
  }
}

/** 401: the key is unknown, deleted or expired. */
export class AuthenticationError extends ParleyError {
  override name = 'AuthenticationError'
}
/** 403: the user of this key may not do this, or the key is read-only. */
export class PermissionError extends ParleyError {
  override name = 'PermissionError'
}
/** 404: not found in this account. */
export class NotFoundError extends ParleyError {
  override name = 'NotFoundError'
}
/** 409 and 412: it has been changed meanwhile. Read it again. */
export class ConflictError extends ParleyError {
  override name = 'ConflictError'
}
/** 422: the input is invalid; see `errors`. */
export class ValidationError extends ParleyError {
  override name = 'ValidationError'
}
/** 429: too many requests, and all retries were used. */
export class RateLimitError extends ParleyError {
  override name = 'RateLimitError'
}

/**
 * No response after all retries. A call that writes may have been carried out: repeat it with the same idempotency key.
 */
export class ConnectionError extends Error {
  override name = 'ConnectionError'

  constructor(address: string, cause: unknown) {
    super(`${new URL(address).origin} cannot be reached.`, { cause })
  }
}

const BY_STATUS: Record<number, typeof ParleyError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  422: ValidationError,
  429: RateLimitError,
}

/** The error for an error response. */
export function errorOf(response: Pick<Response, 'status' | 'headers'>, refusal: Refusal | undefined): ParleyError {
  return new (BY_STATUS[response.status] ?? ParleyError)(response, refusal)
}
