import * as z from 'zod/mini'
import { type Endpoint, isOpenToApiKeys, publicPath } from '#contract/endpoint.ts'
import { ERRORS, refusalsOf } from './openapi-errors.ts'
import { exampleOf } from './openapi-examples.ts'
import { isPaged, MAX_PAGE_SIZE } from './paging.ts'
import { MAX_KEY_LENGTH } from './repeats.ts'

const DESCRIPTION = `Programs send an API key in the \`Authorization\` header, as \`Bearer <key>\`. Admins generate keys in the dashboard, under
Developers → API keys. A key acts as the person who made it, with the role that person has when the call comes.

Answers carry \`data\`; refusals carry \`error\` with \`status\`, \`code\`, \`message\` and, for single fields, \`errors\`.
Times are ISO 8601 in UTC. Unset values are sent as null. What stands under \`/api/v1\` also answers under \`/api\`.`

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The source of the description. */
export interface Contract {
  features: Record<string, Record<string, Endpoint>>
  /** The contract's named shapes. */
  schemas: Record<string, z.ZodMiniType>
}

/**
 * The whole contract as an OpenAPI 3.1 document. Generated from the declarations that the server routes by, so it is
 * always correct.
 */
export function describeApi({ features, schemas }: Contract, version: string, baseUrl: string) {
  const shapes = new Shapes(schemas)
  const paths: Record<string, Record<string, object>> = {}
  for (const [feature, calls] of Object.entries(features)) {
    for (const [name, endpoint] of Object.entries(calls)) {
      const path = publicPath(endpoint).replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeCall(shapes, feature, name, endpoint) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Parley', version, description: DESCRIPTION },
    servers: [{ url: baseUrl }],
    tags: Object.keys(features).map((name) => ({ name, description: `Calls about ${wordsOf(name)}.` })),
    paths,
    components: {
      schemas: shapes.named(JSON.stringify(paths)),
      responses: ERRORS.responses,
      securitySchemes: SECURITY,
    },
  }
}

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description })
const SECURITY = {
  apiKey: bearer('An API key. `Bearer` may be omitted from the header.'),
  session: bearer('The access token of a signed-in user.'),
  visitor: bearer('The token of a visitor session, created by the visitor’s browser.'),
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

function describeCall(shapes: Shapes, feature: string, name: string, endpoint: Endpoint) {
  const status = endpoint.status ?? 200
  return {
    operationId: `${feature}.${name}`,
    tags: [feature],
    summary: endpoint.summary,
    description: WHO[endpoint.who],
    security: securityOf(endpoint),
    parameters: [...pathParameters(shapes, endpoint), ...queryParameters(shapes, endpoint), ...headersOf(endpoint)],
    ...(endpoint.body && { requestBody: { required: true, content: bodyContent(shapes, endpoint.body) } }),
    responses: {
      [status]: {
        description: status === 303 ? 'Redirects to `location`.' : 'Done.',
        ...(status < 204 && { content: answerContent(shapes, endpoint) }),
      },
      ...refusalsOf(endpoint),
    },
  }
}

function pathParameters(shapes: Shapes, { path, params }: Endpoint) {
  const declared = params ? shapes.describe(params, 'input').properties : undefined
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: declared?.[name] ?? { type: 'string', format: 'uuid' },
  }))
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
  const { query } = endpoint
  const { properties = {}, required = [] } = query ? shapes.resolve(shapes.describe(query, 'input')) : {}
  return Object.entries({ ...properties, ...(isPaged(endpoint) && PAGES) }).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    schema,
  }))
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

/** JSON, or a form with a file. */
function bodyContent(shapes: Shapes, body: z.ZodMiniType) {
  const schema = shapes.describe(body, 'input')
  if (!schema.properties?.file) return { 'application/json': { schema, example: shapes.example(schema) } }
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  return { 'multipart/form-data': { schema: { ...schema, properties: { ...schema.properties, file } } } }
}

function answerContent(shapes: Shapes, endpoint: Endpoint) {
  const { path, answer } = endpoint
  if (path.endsWith('.csv')) return { 'text/csv': { schema: { type: 'string' } } }
  const described = shapes.describe(answer, 'output')
  const next: JsonSchema = {
    type: ['string', 'null'],
    description: 'The cursor of the next page, if pages were requested.',
  }
  const schema = isPaged(endpoint) ? { ...described, properties: { ...described.properties, next } } : described
  return { 'application/json': { schema, example: shapes.example(schema) } }
}

/** Converts shapes to JSON Schema, named ones once. */
class Shapes {
  readonly #registry = z.registry<{ id: string }>()
  readonly #named: Record<string, JsonSchema> = {}

  constructor(schemas: Contract['schemas']) {
    for (const [id, schema] of Object.entries(schemas)) this.#registry.add(schema, { id })
  }

  /** A shape as clients may send it (`input`: lenient types, before parsing), or as a response. */
  describe(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
    const described = z.toJSONSchema(schema, { io, unrepresentable: 'any', metadata: this.#registry })
    const { $schema: _, $defs = {}, id, ...own } = described
    // A shape differs before and after parsing.
    const nameOf = (name: string) => (io === 'input' ? `${name}Input` : name)
    const move = (part: unknown): unknown =>
      JSON.parse(
        JSON.stringify(part).replace(
          /"#\/\$defs\/([^"]+)"/g,
          (_match, name) => `"#/components/schemas/${nameOf(name)}"`,
        ),
        (key, value) => (key === 'id' && typeof value === 'string' ? undefined : value),
      )
    for (const [name, definition] of Object.entries($defs)) this.#named[nameOf(name)] = move(definition) as JsonSchema
    return move(own) as JsonSchema
  }

  /** Resolves a reference to the shape itself. */
  resolve(schema: JsonSchema): JsonSchema {
    return schema.$ref ? (this.#named[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
  }

  /** Named shapes that a text, or one of these shapes, refers to. */
  named(text: string): Record<string, JsonSchema> {
    const all = text + JSON.stringify(this.#named)
    const used = Object.entries(this.#named).filter(([name]) => all.includes(`"#/components/schemas/${name}"`))
    return { ...Object.fromEntries(used), ...ERRORS.schemas }
  }

  example(schema: JsonSchema): unknown {
    return exampleOf(schema, this.#named)
  }
}

function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
