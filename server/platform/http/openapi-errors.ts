import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

const text: JsonSchema = { type: 'string' }
const ErrorBody: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['status', 'code', 'message'],
      properties: {
        status: { type: 'integer', description: 'The HTTP status.' },
        code: { type: 'integer', description: 'The same as `status`.' },
        message: { ...text, description: 'A sentence that says what to do.' },
        reason: { ...text, description: 'A machine-readable code, such as `rate_limited`.' },
        is_foreign: { type: 'boolean', description: 'The message contains words of another system.' },
        errors: {
          type: 'object',
          description: 'Errors by field.',
          additionalProperties: { type: 'array', items: text },
        },
      },
    },
  },
}

function response(status: number, description: string, message: string, more: object = {}) {
  const example = { error: { status, code: status, message, ...more } }
  const schema = { $ref: '#/components/schemas/Error' }
  return { description, content: { 'application/json': { schema, example } } }
}

const retryAfter = (required: boolean) => ({
  'retry-after': { description: 'Seconds to wait.', required, schema: { type: 'integer', minimum: 1 }, example: 1 },
})

/** Error responses, as components of the OpenAPI document. */
export const ERRORS = {
  schemas: { Error: ErrorBody },
  responses: {
    BadRequest: response(400, 'An id is malformed, or a parameter is missing.', 'Bad Request'),
    NotSignedIn: response(
      401,
      'The credentials are missing or invalid, or the role does not allow the call.',
      'Not authenticated',
    ),
    NotPaid: response(402, 'The payment was declined.', 'Your card was declined.'),
    Forbidden: response(
      403,
      'The API key, the plan or the settings of the account do not allow the call.',
      'This API key is read-only. Use one with full access.',
    ),
    NotFound: response(404, 'Not found in this account.', 'Not found'),
    NotAcceptable: response(
      406,
      'The client does not accept the type of the response.',
      'Responses are available as JSON only.',
    ),
    TooSlow: response(
      408,
      'The body arrived too slowly.',
      'The body of the request arrived too slowly. Please try again.',
    ),
    Conflict: response(
      409,
      'Conflict: a request with the same idempotency key is still in progress, or the data has changed meanwhile.',
      'A request with this idempotency key is still in progress. Try again in a moment.',
    ),
    Changed: response(
      412,
      'The resource has changed since the version named in `If-Match`.',
      'This has changed since you read it. Fetch it again, then repeat your change.',
    ),
    Invalid: response(422, 'The request is invalid.', 'Unprocessable Entity', {
      errors: { name: ["can't be blank"] },
    }),
    TooLarge: response(413, 'The body is too large.', 'The body is too large.'),
    WrongType: response(
      415,
      'The body is neither JSON nor a plain form, or has files where the call takes none.',
      'This call accepts JSON or a plain form, but no files.',
    ),
    TooMany: {
      ...response(
        429,
        'Too many requests. `retry-after` says how many seconds to wait.',
        'Too many requests. Try again in 1 second(s).',
        { reason: 'rate_limited' },
      ),
      headers: retryAfter(true),
    },
    TooLargeHeaders: response(
      431,
      'The address and the headers are too large together.',
      'The address and the headers of this request are too large.',
    ),
    Failed: response(
      500,
      'The server failed. A repeat with the same idempotency key is safe.',
      'Internal Server Error',
    ),
    Unavailable: {
      ...response(
        503,
        'The server is starting, stopping or overloaded. Try again in a moment.',
        'The server is busy. Try again in a moment.',
      ),
      headers: retryAfter(false),
    },
  },
}

/** The error responses of a call, by status. */
export function refusalsOf(endpoint: Endpoint) {
  const named = Object.entries(namesOf(endpoint)).filter(([, name]) => name)
  return Object.fromEntries(named.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]))
}

/** Fails if a call refuses with a status that the document does not declare, so that tests notice. */
export function assertRefusalDeclared(endpoint: Endpoint, status: number): void {
  if (namesOf(endpoint)[status]) return
  throw new Error(`${endpoint.method} ${endpoint.path} answers with ${status}, which its declaration does not name.`)
}

function namesOf({ path, method, body, query, who, for_functions, refusals = [] }: Endpoint) {
  const writes = method !== 'GET'
  // Keys of functions make few calls, and read-only keys only those that read.
  const refusesKeys = writes || (who !== 'signed' && !for_functions)
  const names: Record<number, keyof typeof ERRORS.responses | false> = {
    400: 'BadRequest',
    // Also of calls that need no credential: a wrong one is not ignored.
    401: 'NotSignedIn',
    402: refusals.includes(402) && 'NotPaid',
    403: (refusesKeys || refusals.includes(403)) && 'Forbidden',
    404: (path.includes('/:') || !!body || !!query || refusals.includes(404)) && 'NotFound',
    406: path.startsWith('/api/') && 'NotAcceptable',
    408: !!body && 'TooSlow',
    409: (writes || refusals.includes(409)) && 'Conflict',
    412: method === 'PUT' && 'Changed',
    // Of any method, because clients may send a body with each.
    413: 'TooLarge',
    415: 'WrongType',
    422: 'Invalid',
    429: 'TooMany',
    431: 'TooLargeHeaders',
    500: 'Failed',
    503: 'Unavailable',
  }
  return names
}
