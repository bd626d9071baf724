import type { Answer } from '../support/server.ts'
import type { Kind } from './callers.ts'
import type { ApiDocument, JsonSchema, Operation } from './document.ts'
import { isLenient } from './outside.ts'
import { bodySchema } from './requests.ts'
import type { Sent } from './sending.ts'

/** What the document does not say of an answer, or undefined if it keeps all promises. */
export function complaintAbout(document: ApiDocument, sent: Sent, kind: Kind, answer: Answer): string | undefined {
  const { status, body } = answer
  if (status >= 500) return `answers with ${status}`
  const response = document.responseOf(sent.operation, status)
  if (!response) return `answers with ${status}, which is not declared`
  const refusal = refusalFor(sent.operation, kind)
  if (refusal && status !== refusal) return `answers ${kind} with ${status} instead of ${refusal}`
  const misshapen = complaintAboutBody(document, response, body)
  if (misshapen) return `${status} does not have the declared shape: ${misshapen}`
  const header = Object.entries(response.headers ?? {}).find(
    ([name, { required }]) => required && answer.headers[name.toLowerCase()] === undefined,
  )
  if (header) return `${status} lacks the declared header ${header[0]}`
  if (sent.broken && status < 400) return `accepts what the document does not allow, in ${sent.broken}`
  const dropped = status < 300 ? droppedField(document, sent, kind, body) : undefined
  return dropped && `drops ${dropped} in silence`
}

/** The status for a caller who may not make the call; calls of other systems are refused by their signature. */
function refusalFor({ security }: Operation, kind: Kind): number | undefined {
  const admits = (scheme: string) => security.some((requirement) => scheme in requirement)
  const isOpen = security.some((requirement) => Object.keys(requirement).length === 0)
  if (kind === 'nobody' && !isOpen) return 401
  if (kind === 'visitor' && !isOpen && !admits('visitor')) return 401
  if (kind === 'admin by key' && !isOpen && !admits('apiKey') && admits('session')) return 403
  return undefined
}

function complaintAboutBody(
  document: ApiDocument,
  { content }: Operation['responses'][string],
  body: unknown,
): string | undefined {
  const json = content?.['application/json']
  if (json) return document.complaintAbout(json.schema, body)
  if (content && typeof body === 'string') return undefined
  return body === '' || body === null || !content ? undefined : 'no JSON'
}

/** A field that was sent, and that the answer holds as null. */
function droppedField(
  document: ApiDocument,
  { operation, body }: Sent,
  kind: Kind,
  answer: unknown,
): string | undefined {
  const schema = bodySchema(operation.requestBody)
  const [wrap, sent] = Object.entries((body ?? {}) as object).find(([, inner]) => isObject(inner)) ?? []
  const data = (answer as { data?: unknown } | null)?.data
  if (!schema || wrap === undefined || !isObject(data)) return undefined
  const declared = document.resolve((document.resolve(schema).properties?.[wrap] ?? {}) as JsonSchema).properties ?? {}
  return Object.entries(sent)
    .filter(([name]) => {
      const field = document.resolve((declared[name] ?? {}) as JsonSchema)
      const isIgnored = field['x-team-only'] === true && (kind === 'visitor' || kind === 'nobody')
      return name in declared && !isLenient(field) && !isIgnored
    })
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .filter(([, value]) => /[\p{L}\p{N}]/u.test(String(value)))
    .map(([name]) => name)
    .find((name) => Reflect.get(data, name) === null)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
