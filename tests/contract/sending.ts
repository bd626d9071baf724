import type { Answer, TestServer } from '../support/server.ts'
import { nounOf, type Operation } from './document.ts'
import type { KnownIds } from './known-ids.ts'
import { type Plan, withIds } from './requests.ts'

/** A request as it was sent. */
export interface Sent {
  operation: Operation
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
  broken?: string | undefined
}

/** Fills in the ids of a plan. */
export function prepare(plan: Plan, ids: KnownIds): Sent {
  const { operation, params, query, headers, body, broken } = plan
  const noun = nounOf(operation)
  const filled = withIds({ params, query, headers, body }, (id) => ids.find(id, noun)) as Omit<Plan, 'operation'>
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(asText(filled.params[name])))
  const search = new URLSearchParams(Object.entries(filled.query).map(([name, value]) => [name, asText(value)]))
  const isForm = filled.body === undefined && operation.requestBody?.content['multipart/form-data'] !== undefined
  return {
    operation,
    method: operation.method,
    url: search.size > 0 ? `${path}?${search}` : path,
    headers: {
      ...Object.fromEntries(Object.entries(filled.headers).map(([name, value]) => [name, headerText(value)])),
      ...(isForm && { 'content-type': 'multipart/form-data; boundary=b' }),
      ...(filled.body !== undefined && { 'content-type': 'application/json' }),
    },
    body: isForm ? formOf(operation) : filled.body,
    broken,
  }
}

/** A form with a file, and with the example's values of the other fields that are required. */
function formOf({ requestBody }: Operation): string {
  const { schema, example } = requestBody!.content['multipart/form-data']!
  const values = example as Record<string, unknown>
  const fields = (schema.required ?? []).filter((name) => name !== 'file')
  return [
    ...fields.map((name) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${asText(values[name])}\r\n`),
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\na@b.c\r\n--b--\r\n',
  ].join('')
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(',')
  return (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')).toWellFormed()
}

/** Headers hold printable characters only. */
function headerText(value: unknown): string {
  return (
    asText(value)
      .replace(/[^\x20-\x7e]/g, 'x')
      .trim() || 'x'
  )
}

export function send(
  server: TestServer,
  { method, url, headers, body }: Sent,
  token: string | undefined,
): Promise<Answer> {
  return server.request(method, url, { ...(token && { token }), headers, ...(body !== undefined && { body }) })
}

/** The request as a command for a shell. */
export function asCurl({ method, url, headers, body }: Sent, kind: string): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    `curl -X ${method} ${quote(`$PARLEY${url}`)}`,
    `-H ${quote(`Authorization: <${kind}>`)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quote(typeof body === 'string' ? body : JSON.stringify(body))}`]),
  ].join(' ')
}
