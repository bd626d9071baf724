import fc from 'fast-check'
import type { ApiDocument, JsonSchema, Operation, Parameter } from './document.ts'
import { isLenient, outsideOf } from './outside.ts'
import { insideOf, KnownId, someOf } from './values.ts'

/** A request before its ids are known. */
export interface Plan {
  operation: Operation
  params: Record<string, unknown>
  query: Record<string, unknown>
  headers: Record<string, unknown>
  body: unknown
  /** The part that the document does not allow, or undefined. */
  broken?: string
}

/** Requests inside the bounds of the document. */
export function insideRequests(document: ApiDocument, operation: Operation): fc.Arbitrary<Plan> {
  const parameters = (location: Parameter['in']) => {
    const selected = operation.parameters.filter(
      (parameter) => parameter.in === location && parameter.name !== 'If-Match',
    )
    const values = Object.fromEntries(selected.map(({ name, schema }) => [name, insideOf(document, schema, name)]))
    return someOf(
      values,
      selected.filter(({ required }) => required).map(({ name }) => name),
    )
  }
  return fc.record({
    operation: fc.constant(operation),
    params: parameters('path'),
    query: parameters('query'),
    headers: fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: parameters('header') }),
    body: insideBody(document, operation),
  }) as fc.Arbitrary<Plan>
}

/** The request that the document shows. */
export function examplePlan(operation: Operation): Plan {
  const parameters = (location: Parameter['in']) =>
    Object.fromEntries(
      operation.parameters
        .filter((parameter) => parameter.in === location && parameter.example !== undefined)
        .map(({ name, example }) => [name, example]),
    )
  const content = operation.requestBody?.content['application/json']
  return { operation, params: parameters('path'), query: parameters('query'), headers: {}, body: content?.example }
}

/** A form with a file is written by the sender. */
function insideBody(document: ApiDocument, { requestBody }: Operation): fc.Arbitrary<unknown> {
  const schema = bodySchema(requestBody)
  const form = fc.constant(undefined)
  if (!schema) return form
  const json = insideOf(document, schema)
  return requestBody?.content['multipart/form-data'] ? fc.oneof(form, json) : json
}

export function bodySchema(requestBody: Operation['requestBody']): JsonSchema | undefined {
  return requestBody?.content['application/json']?.schema
}

/** The same with one part replaced by a value that the document does not allow there. */
export function outsideRequests(document: ApiDocument, operation: Operation): fc.Arbitrary<Plan> | undefined {
  const breaks = [...brokenParameters(document, operation), ...brokenFields(document, operation)]
  if (breaks.length === 0) return undefined
  return fc.tuple(insideRequests(document, operation), fc.constantFrom(...breaks)).map(([plan, apply]) => apply(plan))
}

type Break = (plan: Plan) => Plan

function brokenParameters(document: ApiDocument, { parameters }: Operation): Break[] {
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) =>
      outsideOf(document, parameter.schema)
        .map((value) => (typeof value === 'object' ? '[object Object]' : String(value)).replace('\u0000', 'x'))
        // An empty parameter counts as left out.
        .filter((text) => text.trim() !== '' && text.length <= 3000 && !document.isParameterValid(parameter, text))
        .map((text) => (plan: Plan) => ({
          ...plan,
          query: { ...plan.query, [parameter.name]: text },
          broken: `query ${parameter.name}`,
        })),
    )
}

function brokenFields(document: ApiDocument, { requestBody }: Operation): Break[] {
  const schema = bodySchema(requestBody)
  if (!schema) return []
  return fieldsOf(document, schema).flatMap(({ path, schema: field, required }) => [
    ...outsideOf(document, field).map((value) => (plan: Plan) => breakBody(plan, path, structuredClone(value))),
    ...(required ? [(plan: Plan) => breakBody(plan, path, undefined)] : []),
  ])
}

function breakBody(plan: Plan, path: string[], value: unknown): Plan {
  const body = withIds(plan.body, (id) => id) ?? {}
  put(body, path, value)
  return { ...plan, body, broken: `body ${path.join('.')}` }
}

/** Every field of a shape, with its path. */
function fieldsOf(
  document: ApiDocument,
  schema: JsonSchema,
  path: string[] = [],
): { path: string[]; schema: JsonSchema; required: boolean }[] {
  const whole = document.resolve(schema)
  const choices = (whole.anyOf ?? [whole]) as JsonSchema[]
  return choices.flatMap((choice) => {
    const { properties = {}, required = [], ...own } = document.resolve(choice)
    if (isLenient(own)) return []
    return Object.entries(properties).flatMap(([name, inner]) => [
      { path: [...path, name], schema: inner as JsonSchema, required: required.includes(name) },
      ...(path.length < 4 ? fieldsOf(document, inner as JsonSchema, [...path, name]) : []),
    ])
  })
}

function put(target: unknown, [key = '', ...rest]: string[], value: unknown): void {
  if (typeof target !== 'object' || target === null) return
  if (rest.length === 0) {
    if (value === undefined) Reflect.deleteProperty(target, key)
    else Reflect.set(target, key, value)
    return
  }
  const inner = Reflect.get(target, key)
  if (typeof inner !== 'object' || inner === null) Reflect.set(target, key, {})
  put(Reflect.get(target, key), rest, value)
}

/** Copies a value with every known id looked up. */
export function withIds(value: unknown, find: (id: KnownId) => unknown): unknown {
  if (value instanceof KnownId) return find(value)
  if (Array.isArray(value)) return value.map((item) => withIds(item, find))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withIds(inner, find)]))
}
