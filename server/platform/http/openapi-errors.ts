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
        status: { type: 'integer' },
        code: { type: 'integer', description: 'The same as `status`.' },
        message: { ...text, description: 'A sentence that says what to do.' },
        reason: { ...text, description: 'A word for programs, such as `rate_limited`.' },
        errors: {
          type: 'object',
          description: 'What is wrong with single fields.',
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

/** Error responses, as components of the OpenAPI document. */
export const ERRORS = {
  schemas: { Error: ErrorBody },
  responses: {
    BadRequest: response(400, 'An id is malformed, or something is missing.', 'Bad Request'),
    NotSignedIn: response(
      401,
      'The credential is missing or opens nothing, or the role does not allow it.',
      'Not authenticated',
    ),
    Forbidden: response(
      403,
      'The key, the plan or the rules of the account do not allow it.',
      'This API key may only read. Use a key that may do everything.',
    ),
    NotFound: response(404, 'There is no such thing in this account.', 'Not found'),
    Conflict: response(
      409,
      'Something else happened meanwhile: a request with the same idempotency key is still at work, or the view was outdated.',
      'A request with this idempotency key is still being carried out. Ask again in a moment.',
    ),
    Changed: response(
      412,
      'What `If-Match` names has changed since it was read.',
      'This has changed since you read it. Read it again, and send your change once more.',
    ),
    Invalid: response(422, 'What was sent is not valid.', 'Unprocessable Entity', {
      errors: { name: ["can't be blank"] },
    }),
    TooMany: response(
      429,
      'Too many calls. `retry-after` says when to go on.',
      'Too many requests. Try again in 1 second(s).',
      {
        reason: 'rate_limited',
      },
    ),
  },
}

/** The error responses of a call. */
export function refusalsOf({ who, path, method, body, query, session_only }: Endpoint) {
  const writes = method !== 'GET'
  const found: Record<string, keyof typeof ERRORS.responses | false> = {
    400: 'BadRequest',
    401: who !== 'anyone' && 'NotSignedIn',
    403: (writes || !!session_only) && 'Forbidden',
    404: path.includes('/:') && 'NotFound',
    409: writes && 'Conflict',
    412: method === 'PUT' && 'Changed',
    422: !!(body || query) && 'Invalid',
    429: 'TooMany',
  }
  const named = Object.entries(found).filter(([, name]) => name)
  return Object.fromEntries(named.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]))
}
