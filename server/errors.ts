/**
 * Refusals that a person or program can act on. Thrown anywhere; HTTP turns them into a response and sockets into error
 * replies. Any other error is internal and becomes a 500.
 */
export class Refusal extends Error {
  readonly status: number
  /** A code for programs, such as `outdated_view`. */
  readonly reason: string | undefined
  /** Further fields of the body, beside `error`. */
  readonly body: Record<string, unknown>
  /** Further fields inside `error`, for people who look for their mistake. */
  readonly details: Record<string, unknown>

  constructor(status: number, message: string, reason?: string, { body = {}, details = {} }: More = {}) {
    super(message)
    this.status = status
    this.reason = reason
    this.body = body
    this.details = details
  }
}

type More = { [Where in 'body' | 'details']?: Record<string, unknown> }

export class BadRequest extends Refusal {
  constructor(message = 'Bad Request') {
    super(400, message)
  }
}

export class NotSignedIn extends Refusal {
  constructor(message = 'Not authenticated') {
    super(401, message)
  }
}

export class Forbidden extends Refusal {
  constructor(message: string) {
    super(403, message)
  }
}

/** Also used for objects of other accounts, so that callers cannot tell whether they exist. */
export class NotFound extends Refusal {
  constructor(message = 'Not found', details: Record<string, unknown> = {}) {
    super(404, message, undefined, { details })
  }
}

export class OutdatedView extends Refusal {
  constructor(missed: unknown[]) {
    super(
      409,
      'The customer wrote again while you were typing. Read the new message, then send anyway if it still fits.',
      'outdated_view',
      { body: { data: { messages: missed } } },
    )
  }
}

/** Errors by field, in the specification's words. */
export class Invalid extends Refusal {
  readonly errors: Record<string, string[]>

  constructor(errors: Record<string, string[]>, message = 'Unprocessable Entity', reason?: string) {
    super(422, message, reason)
    this.errors = errors
  }
}

/** Input refused as a whole, with a sentence. */
export class Unacceptable extends Refusal {
  constructor(message: string, details: Record<string, unknown> = {}) {
    super(422, message, undefined, { details })
  }
}

/** The message for missing parameters, as existing clients know it. */
export function missingParameters(...parameters: string[]): string {
  return `The following parameters are required: ${parameters.join(', ')}`
}

export class TooMany extends Refusal {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super(429, `Too many requests. Try again in ${retryAfterSeconds} second(s).`, 'rate_limited')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The message of any thrown value, for logs and error fields. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
