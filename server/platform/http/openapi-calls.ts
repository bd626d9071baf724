import type * as z from 'zod/mini'
import { type Endpoint, isOpenToApiKeys } from '#contract/endpoint.ts'
import { refusalsOf } from './openapi-errors.ts'
import type { JsonSchema, Shapes } from './openapi-shapes.ts'
import { isPaged, MAX_PAGE_SIZE } from './paging.ts'
import { MAX_KEY_LENGTH } from './repeats.ts'

/** A call with its name in the contract. */
export interface NamedCall {
  feature: string
  name: string
  endpoint: Endpoint
  /** Whether another call updates what this one reads. */
  isUpdated: boolean
}

/** The operation of a call in the OpenAPI document. */
export function describeCall(shapes: Shapes, { feature, name, endpoint, isUpdated }: NamedCall) {
  return {
    operationId: `${feature}.${name}`,
    tags: [feature],
    summary: endpoint.summary,
    description: WHO[endpoint.who],
    security: securityOf(endpoint),
    parameters: [...pathParameters(shapes, endpoint), ...queryParameters(shapes, endpoint), ...headersOf(endpoint)],
    ...(endpoint.body && { requestBody: describeBody(shapes, endpoint.body) }),
    responses: { [endpoint.status ?? 200]: describeAnswer(shapes, endpoint, isUpdated), ...refusalsOf(endpoint) },
  }
}

/** Who may call. An empty object means that no credential is needed. */
function securityOf(endpoint: Endpoint): object[] {
  const { who } = endpoint
  if (who === 'signed') return [{}]
  if (who === 'visitor') return [{ visitor: [] }]
  return [
    ...(isOpenToApiKeys(endpoint) ? [{ apiKey: [] }] : []),
    ...(who === 'anyone' && endpoint.session_only ? [] : [{ session: [] }]),
    ...(who === 'user or visitor' ? [{ visitor: [] }] : []),
    ...(who === 'anyone' ? [{}] : []),
  ]
}

const WHO: Record<Endpoint['who'], string> = {
  anyone: 'No credential needed.',
  visitor: 'For visitors.',
  user: 'For the team.',
  admin: 'For admins.',
  'user or visitor': 'For team members and visitors.',
  signed: 'Requires a signature of the body.',
}

interface Position {
  name: string
  in: 'path' | 'query'
  required: boolean
}

function parameter(shapes: Shapes, position: Position, { description, ...schema }: JsonSchema) {
  const { required, ...where } = position
  return {
    ...where,
    ...(required && { required }),
    ...(description && { description }),
    schema,
    example: shapes.example(schema, 'input', position.name),
  }
}

function pathParameters(shapes: Shapes, { path, params }: Endpoint) {
  const declared = params ? shapes.describe(params, 'input').properties : undefined
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const schema = (declared?.[name] ?? { type: 'string', format: 'uuid', description: idOf(path, name) }) as JsonSchema
    return parameter(shapes, { name, in: 'path', required: true }, schema)
  })
}

/** Describes an id in a path by the word before it: `/conversations/:id` has the id of one of the conversations. */
function idOf(path: string, name: string): string {
  const [, list = 'things'] = new RegExp(`([\\w-]+)/:${name}\\b`).exec(path) ?? []
  return `The id of one of the ${list.replaceAll('_', ' ')}.`
}

const PAGES = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    description: 'Maximum number of items. Without `limit` and `after`, the whole list is returned.',
  },
  after: { type: 'string', description: 'The `next` of the previous page.' },
} satisfies Record<string, JsonSchema>

function queryParameters(shapes: Shapes, endpoint: Endpoint) {
  const { query, needs = [] } = endpoint
  const { properties = {}, required = [] } = query ? shapes.resolve(shapes.describe(query, 'input')) : {}
  const all = Object.entries({ ...properties, ...(isPaged(endpoint) && PAGES) })
  return all.map(([name, schema]) => {
    const described = parameter(
      shapes,
      { name, in: 'query', required: required.includes(name) || needs.includes(name) },
      schema as JsonSchema,
    )
    // The cursor of another list would be refused.
    const { example: _, ...withoutExample } = described
    return name === 'after' ? withoutExample : described
  })
}

/** Headers that affect a call. */
function headersOf({ method, who }: Endpoint) {
  if (method === 'GET' || who === 'visitor' || who === 'signed') return []
  const header = (name: string, description: string, bounds: JsonSchema = {}) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string', ...bounds },
  })
  return [
    header('Idempotency-Key', 'Makes repeating a request safe: for 24 hours, the same key returns the same response.', {
      minLength: 1,
      maxLength: MAX_KEY_LENGTH,
    }),
    ...(method === 'PUT'
      ? [
          header(
            'If-Match',
            'The `ETag` of the version that was read. If the resource has changed since, the call is refused.',
          ),
        ]
      : []),
  ]
}

const FILE: JsonSchema = {
  type: 'string',
  contentMediaType: 'application/octet-stream',
  description: 'The file itself.',
  examples: ['email,name\ncarla@example.com,Carla Reyes\n'],
}

/** JSON, or a form with a file; JSON also where the file is only one way of several. */
function describeBody(shapes: Shapes, body: z.ZodMiniType) {
  const schema = shapes.describe(body, 'input')
  const { file, ...properties } = schema.properties ?? {}
  const json = (own: JsonSchema) => ({ schema: own, example: shapes.example(own, 'input') })
  const required = (schema.required?.length ?? 0) > 0
  if (!file) return { required, content: { 'application/json': json(schema) } }
  const form = { ...schema, properties: { ...properties, file: FILE } }
  const isFileNeeded = schema.required?.includes('file')
  return {
    required: isFileNeeded ?? false,
    content: {
      'multipart/form-data': json(form),
      ...(!isFileNeeded && { 'application/json': json({ ...schema, properties }) }),
    },
  }
}

function describeAnswer(shapes: Shapes, endpoint: Endpoint, isUpdated: boolean) {
  const { status = 200, location } = endpoint
  const header = (description: string, example: string) => ({
    description,
    required: true,
    schema: { type: 'string' },
    example,
  })
  const headers = {
    ...(isUpdated && { ETag: header('The version of what was read, for `If-Match`.', '"q7Jx2mLr0bVt5cNa8dKe3f"') }),
    ...(((status === 201 && location !== 'none') || status === 303) && {
      location: header(status === 303 ? 'Where the browser continues.' : 'The path of what was created.', '/'),
    }),
  }
  return {
    description: status === 303 ? 'Redirects to `location`.' : 'Done.',
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(status < 204 && { content: answerContent(shapes, endpoint) }),
  }
}

const FILE_EXAMPLES: Record<NonNullable<Endpoint['media_type']>, string> = {
  'text/plain': '1158201444',
  'text/csv': 'date,conversations\r\n2026-11-22,12\r\n',
  'image/webp': '(the bytes of a picture)',
  'message/rfc822': 'From: carla@example.com\r\nSubject: My order\r\n\r\nWhere is my order?\r\n',
  'text/event-stream': 'event: text\ndata: {"text":"Hello"}\n\n',
  '*/*': '(the bytes of the file)',
}

function answerContent(shapes: Shapes, endpoint: Endpoint) {
  const { media_type, answer } = endpoint
  if (media_type) {
    const schema = { type: 'string', ...(media_type !== 'text/csv' && { contentMediaType: media_type }) }
    return { [media_type]: { schema, example: FILE_EXAMPLES[media_type] } }
  }
  const described = shapes.describe(answer, 'output')
  const next: JsonSchema = {
    type: ['string', 'null'],
    description: 'The cursor of the next page, if pages were requested.',
  }
  const schema = isPaged(endpoint) ? { ...described, properties: { ...described.properties, next } } : described
  return { 'application/json': { schema, example: shapes.example(schema, 'output') } }
}
