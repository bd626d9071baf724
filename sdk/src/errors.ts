/** What a refusal says: a sentence, for programs a reason, and for single fields what is wrong with them. */
export interface Refusal {
  message?: string
  reason?: string
  errors?: Record<string, string[]>
}

/** A call that was refused. Its message is the server’s sentence. */
export class ParleyError extends Error {
  override name = 'ParleyError'
  readonly status: number
  /** The same refusal always has the same reason. */
  readonly reason: string | undefined
  /** What is wrong, field by field. */
  readonly errors: Record<string, string[]>
  /** By which the server’s log knows the request. */
  readonly requestId: string | undefined
  /** When another try may be answered otherwise, in milliseconds from now. */
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

/** 401: the key is unknown, was deleted or has ended. */
export class AuthenticationError extends ParleyError {
  override name = 'AuthenticationError'
}
/** 403: whoever made the key may not do this, or the key may only read. */
export class PermissionError extends ParleyError {
  override name = 'PermissionError'
}
/** 404: it is not there, or not in this account. */
export class NotFoundError extends ParleyError {
  override name = 'NotFoundError'
}
/** 409 and 412: something else happened meanwhile. Read it again. */
export class ConflictError extends ParleyError {
  override name = 'ConflictError'
}
/** 422: what was given is not taken; `errors` says why. */
export class ValidationError extends ParleyError {
  override name = 'ValidationError'
}
/** 429: too much at once, for longer than was tried. */
export class RateLimitError extends ParleyError {
  override name = 'RateLimitError'
}

/** No answer came, however often it was tried. A call that writes may have been carried out: repeat it with the same key. */
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

/** The error for an answer that is a refusal. */
export function errorOf(response: Pick<Response, 'status' | 'headers'>, refusal: Refusal | undefined): ParleyError {
  return new (BY_STATUS[response.status] ?? ParleyError)(response, refusal)
}
