import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'

const DESCRIPTION =
  'Times are ISO 8601 in UTC. Unset values are sent as null. Every call under /api answers under /api/v1 and /api/k too.'

const WHO: Record<Endpoint['who'], string> = {
  anyone: 'No credential needed.',
  visitor: 'Needs a visitor session.',
  user: 'Needs a signed-in user.',
  admin: 'Needs a signed-in admin.',
  'user or visitor': 'Needs a signed-in user or a visitor session.',
  signed: 'Needs a signature over the body.',
}

/** The whole contract as an OpenAPI 3.1 document. Generated from what the server routes by, so it cannot drift. */
export function describeApi(features: Record<string, Record<string, Endpoint>>, version: string, baseUrl: string) {
  const paths: Record<string, Record<string, object>> = {}
  for (const [feature, calls] of Object.entries(features)) {
    for (const [name, endpoint] of Object.entries(calls)) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeCall(feature, name, endpoint) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Parley', version, description: DESCRIPTION },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The token, raw or after `Bearer `.',
        },
      },
    },
  }
}

function describeCall(feature: string, name: string, endpoint: Endpoint) {
  const status = endpoint.status ?? 200
  return {
    operationId: `${feature}.${name}`,
    tags: [feature],
    summary: endpoint.summary,
    description: WHO[endpoint.who],
    ...(endpoint.who !== 'anyone' && { security: [{ token: [] }] }),
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint)],
    ...(endpoint.body && { requestBody: { required: true, content: bodyContent(input(endpoint.body)) } }),
    responses: {
      [status]: {
        description: status === 303 ? 'The browser goes on at `location`.' : 'Done.',
        ...(status < 204 && { content: answerContent(endpoint) }),
      },
      default: { description: 'Refused, with `error.status`, `error.code` and `error.message`.' },
    },
  }
}

function pathParameters({ path }: Endpoint) {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Endpoint) {
  const { properties = {}, required = [] } = query ? input(query) : {}
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    schema,
  }))
}

/** JSON, or a form with a file in it. */
function bodyContent(schema: z.core.JSONSchema.BaseSchema) {
  if (!schema.properties?.file) return { 'application/json': { schema } }
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  return { 'multipart/form-data': { schema: { ...schema, properties: { ...schema.properties, file } } } }
}

function answerContent({ path, answer }: Endpoint) {
  if (path.endsWith('.csv')) return { 'text/csv': { schema: { type: 'string' } } }
  return { 'application/json': { schema: output(answer) } }
}

/** What a client may send: loose texts and numbers, before they are read. */
function input(schema: z.ZodMiniType) {
  return withoutDialect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

function output(schema: z.ZodMiniType) {
  return withoutDialect(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }))
}

/** OpenAPI 3.1 names its dialect once for the whole document. */
function withoutDialect({ $schema: _, ...schema }: z.core.JSONSchema.BaseSchema) {
  return schema
}
