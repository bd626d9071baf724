import type * as z from 'zod/mini'
import { type Endpoint, publicPath } from '#contract/endpoint.ts'
import { describeCall } from './openapi-calls.ts'
import { ERRORS } from './openapi-errors.ts'
import { Shapes } from './openapi-shapes.ts'

const DESCRIPTION = `Programs send an API key in the \`Authorization\` header, as \`Bearer <key>\`. Admins generate keys in the dashboard, under
Developers → API keys. A key acts as the person who made it, with the role that person has when the call comes.

Answers carry \`data\`; refusals carry \`error\` with \`status\`, \`code\`, \`message\` and, for single fields, \`errors\`.
Times are ISO 8601 in UTC. Unset values are sent as null. What stands under \`/api/v1\` also answers under \`/api\`.

Fields and parameters that a call does not declare are ignored. An empty parameter counts as left out, unless it is an id.
Numbers and booleans may be sent as text, as forms do. Fields with \`x-lenient\` ignore values of another form, because
clients that exist send them; all other values that a schema does not allow are refused with 422, malformed ids with 400.

A body is JSON or a plain form, otherwise it is refused with 415. A path that does not take a method answers 405, and names
the methods that it takes in \`Allow\`. POST with \`_method\`, in query or body, is the method that it names.`

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
  const updated = new Set(
    Object.values(features).flatMap((calls) =>
      Object.values(calls).flatMap(({ method, path }) => (method === 'PUT' ? [path] : [])),
    ),
  )
  for (const [feature, calls] of Object.entries(features)) {
    for (const [name, endpoint] of Object.entries(calls)) {
      const path = publicPath(endpoint).replace(/:(\w+)/g, '{$1}')
      const isUpdated = endpoint.method === 'GET' && updated.has(endpoint.path)
      const call = describeCall(shapes, { feature, name, endpoint, isUpdated })
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: call }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version,
      description: DESCRIPTION,
      contact: { name: 'Whoever runs this installation', url: baseUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.keys(features).map((name) => ({ name, description: `Calls about ${readableNameOf(name)}.` })),
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

function readableNameOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
