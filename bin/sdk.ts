/** The calls and shapes of the SDK, from the contract. */
import { compile } from 'json-schema-to-typescript'
import { type Endpoint, isOpenToApiKeys } from '#contract/endpoint.ts'
import { features } from '#contract/index.ts'
import { readSchemas } from '#server/features/operations/operations/schema-names.ts'
import { describeApi } from '#server/platform/http/openapi.ts'
import type { Call } from '../sdk/src/call.ts'
import type { Calls } from '../sdk/src/client.ts'

/** Features whose calls have another name in the client: that of Papercups', or that of a group. */
const RESOURCES: Record<string, string> = {
  'conversations.removeInbox': 'inboxes',
  customerProfiles: 'customers',
  customerNotes: 'notes',
  team: 'users',
  authSessions: 'users',
}
const METHODS: Record<string, string> = {
  'conversations.removeInbox': 'destroy',
  get: 'retrieve',
  remove: 'destroy',
  'accounts.mine': 'retrieve',
  'reporting.get': 'retrieve',
  'events.after': 'page',
}
/** Calls without credentials that programs use nevertheless. */
const OPEN_TO_ALL = ['conversations.create', 'customers.create', 'customers.identify', 'files.upload']
/**
 * Left out: pictures for browsers, and second forms of other calls, by another path or with a body that some servers
 * drop.
 */
const LEFT_OUT = ['pictures.get', 'accounts.updateById', 'tags.removeFromCustomerByBody']

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  tsType?: string
  contentMediaType?: string
}
interface Operation {
  operationId: string
  summary: string
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Method {
  resource: string
  name: string
  call: Call
  /** Its declaration, with a comment. */
  declaration: string
}

/** How each call is made. */
export async function readCalls(): Promise<Calls> {
  const calls: Calls = {}
  for (const { resource, name, call } of (await readMethods()).methods) {
    calls[resource] = { ...calls[resource], [name]: call }
  }
  return calls
}

/** The package's `index.ts`: calls, their types and all shapes, so that users need neither the contract nor zod. */
export async function writeIndex(): Promise<string> {
  const { methods, types } = await readMethods()
  const resources = Object.entries(Object.groupBy(methods, ({ resource }) => resource)).sort()
  const api = resources.map(([name, own = []]) => `  ${name}: {\n${own.map(declare).join('')}  }\n`).join('')
  return `import type { Call, Options, Settings } from './call.ts'
import { type Client, createClient } from './client.ts'
import type { WithCursor } from './events.ts'
import type { Pages } from './pages.ts'

export type { Options, Settings } from './call.ts'
export * from './errors.ts'
export { CursorLost, type Following } from './events.ts'
export type { Page, Pages } from './pages.ts'
export { verifyWebhook, type Webhook, type WebhookHeaders, WebhookVerificationError } from './webhooks.ts'

/** Every call: method, path, parameters, the body's wrapper, result. */
export const CALLS: Record<string, Record<string, Call>> = ${JSON.stringify(await readCalls(), null, 2)}

/** A Parley installation: its resources and events. */
export type Parley = Client<Api>

/** An event, with the cursor to continue from. */
export type ParleyEvent = WithCursor<EventsPageAnswer['data'][number]>

/** Creates a client. No request is made before the first call. */
export function createParley(settings: Settings = {}): Parley {
  return createClient<Api>(CALLS, settings)
}

/** Resources and their calls. */
export interface Api {
${api}}

${await types.write(api)}`
}

const declare = ({ declaration }: Method) => declaration

async function readMethods(): Promise<{ methods: Method[]; types: Types }> {
  const contract = { features: features as Record<string, Record<string, Endpoint>>, schemas: await readSchemas() }
  const document = describeApi(contract, '', '') as unknown as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }
  const types = new Types(document.components.schemas)
  const methods: Method[] = []
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [verb, operation] of Object.entries(operations)) {
      const [feature = '', call = ''] = operation.operationId.split('.')
      if (!isIncluded(operation.operationId, contract.features[feature]?.[call])) continue
      const resource = RESOURCES[operation.operationId] ?? RESOURCES[feature] ?? feature
      const name = METHODS[operation.operationId] ?? METHODS[call] ?? call
      methods.push(describeMethod(types, { resource, name, verb: verb.toUpperCase(), path, operation }))
    }
  }
  return { methods, types }
}

function isIncluded(id: string, endpoint: Endpoint | undefined): boolean {
  if (!endpoint || LEFT_OUT.includes(id)) return false
  return OPEN_TO_ALL.includes(id) || (endpoint.who !== 'anyone' && isOpenToApiKeys(endpoint))
}

interface Described {
  resource: string
  name: string
  verb: string
  path: string
  operation: Operation
}

function describeMethod(types: Types, { resource, name, verb, path, operation }: Described): Method {
  const called = pascal(resource) + pascal(name)
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => `${parameter}: string`)
  const input = readInput(types, operation)
  if (input) {
    const isNeeded = input.wrap !== undefined || (types.resolve(input.schema).required ?? []).length > 0
    parameters.push(`input${isNeeded ? '' : '?'}: ${types.nameOf(input.schema, `${called}${input.suffix}`)}`)
  }
  const { gives, type } = readAnswer(types, operation, called)
  return {
    resource,
    name,
    call: [verb, path, input?.takes ?? '', input?.wrap ?? '', gives],
    declaration: `    /** ${operation.summary} */\n    ${name}(${[...parameters, 'options?: Options'].join(', ')}): ${type}\n`,
  }
}

interface Input {
  takes: Call[2]
  wrap?: string | undefined
  suffix: string
  schema: Schema
}

/** The input of a call besides its path parameters. */
function readInput(types: Types, { parameters, requestBody }: Operation): Input | undefined {
  const [[kind, content] = []] = Object.entries(requestBody?.content ?? {})
  if (kind === 'multipart/form-data') return { takes: 'form', suffix: 'Input', schema: content!.schema }
  if (content) {
    const [[wrap, inner] = [], ...others] = Object.entries(types.resolve(content.schema).properties ?? {})
    // As in Papercups' client: the only field of a body is passed without its name.
    const isAlone = others.length === 0 && inner !== undefined && types.resolve(inner).properties !== undefined
    return isAlone
      ? { takes: 'body', wrap, suffix: 'Input', schema: inner }
      : { takes: 'body', suffix: 'Input', schema: content.schema }
  }
  const queryParameters = parameters.filter((parameter) => parameter.in === 'query')
  if (queryParameters.length === 0) return undefined
  const schema: Schema = {
    type: 'object',
    properties: Object.fromEntries(queryParameters.map(({ name, schema }) => [name, schema])),
    required: queryParameters.filter(({ required }) => required).map(({ name }) => name),
  }
  return { takes: 'query', suffix: 'Query', schema }
}

function readAnswer(types: Types, { responses }: Operation, called: string): { gives: Call[4]; type: string } {
  const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const [[kind, content] = []] = Object.entries(response?.content ?? {})
  if (!content) return { gives: 'nothing', type: 'Promise<void>' }
  if (kind === 'text/csv') return { gives: 'text', type: 'Promise<string>' }
  const { properties = {} } = types.resolve(content.schema)
  const { data, next, page_number } = properties
  if (data?.items && (next || page_number)) {
    const item = types.nameOf(data.items, called.replace(/s?List$/, 'Item'))
    return { gives: page_number ? 'numbered pages' : 'pages', type: `Pages<${item}>` }
  }
  if (data && !properties.cursor) return { gives: 'data', type: `Promise<${types.nameOf(data, `${called}Answer`)}>` }
  return { gives: 'whole', type: `Promise<${types.nameOf(content.schema, `${called}Answer`)}>` }
}

/** The shapes used by calls, each declared once. */
class Types {
  readonly #definitions: Record<string, Schema>

  constructor(named: Record<string, Schema>) {
    this.#definitions = { ...named }
  }

  resolve(schema: Schema): Schema {
    return schema.$ref ? this.resolve(this.#definitions[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
  }

  /** The TypeScript name of a shape; `otherwise` is used for one without a name. */
  nameOf(schema: Schema, otherwise: string): string {
    if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
    if (schema.items?.$ref) return `${this.nameOf(schema.items, '')}[]`
    const [first, second, ...more] = schema.anyOf ?? []
    if (first?.$ref && second?.type === 'null' && more.length === 0) return `${this.nameOf(first, '')} | null`
    this.#definitions[otherwise] = schema
    return otherwise
  }

  /** Declarations of the shapes that `text`, or one of these shapes, refers to. */
  async write(text: string): Promise<string> {
    const used = new Set<string>()
    const use = (name: string) => {
      if (used.has(name)) return
      used.add(name)
      for (const [, inner = ''] of JSON.stringify(this.#definitions[name]).matchAll(/#\/components\/schemas\/(\w+)/g))
        use(inner)
    }
    for (const [name] of text.matchAll(/\b[A-Z]\w+/g)) if (Object.hasOwn(this.#definitions, name)) use(name)
    const definitions = Object.fromEntries([...used].sort().map((name) => [name, this.#definitions[name]]))
    const schema = JSON.parse(
      JSON.stringify({ title: 'Nothing', type: 'object', definitions })
        .replaceAll('#/components/schemas/', '#/definitions/')
        .replaceAll('"contentMediaType":"application/octet-stream"', '"tsType":"Blob"'),
    )
    const written = await compile(schema, 'Nothing', {
      // Otherwise a list of at most twenty strings becomes a union of twenty-one tuples.
      ignoreMinAndMaxItems: true,
      additionalProperties: false,
      bannerComment: '',
      unreachableDefinitions: true,
      style: { semi: false, singleQuote: true, printWidth: 120 },
    })
    const about =
      /\/\*\*\n \* This interface was referenced by `Nothing`'s JSON-Schema\n \* via the `definition` "\w+"\.\n \*\/\n/g
    return written.replace(/export interface Nothing \{\s*\}\n/, '').replace(about, '')
  }
}

function pascal(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
