import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { BadRequest, Invalid, missingParameters } from '../../errors.ts'

/** The raw input of a request. */
export interface RequestInput {
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
}

/** Lower-cased as in the database, so that ids compare equal. */
const Id = z.guid().check(z.toLowerCase())

/**
 * Parses the input of a call. As in Papercups, query, body and path form one map in which the later wins, so a
 * client may send an account id in either place. Malformed ids in path or query give 400, fields 422.
 */
export function parseInput(endpoint: Endpoint, input: RequestInput) {
  const fields = isRecord(input.body) ? input.body : {}
  const all = { ...input.query, ...fields, ...input.params }
  return {
    params: parseParams(endpoint, input.params),
    query: endpoint.query ? parseQuery(endpoint.query, all) : {},
    body: endpoint.body ? parseBody(endpoint.body, all) : undefined,
  }
}

function parseParams(endpoint: Endpoint, params: Record<string, string>) {
  const schema = endpoint.params ?? z.record(z.string(), Id)
  const parsed = z.safeParse(schema, params)
  if (!parsed.success) throw new BadRequest()
  return parsed.data
}

function parseQuery(schema: z.ZodMiniType, values: Record<string, unknown>): unknown {
  const parsed = z.safeParse(schema, values, WORDS)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  // Clients that send every filter they know write an unset one as `status` or `status=`.
  const unset = issues.filter((issue) => isUnset(values[String(issue.path[0])], issue))
  if (unset.length > 0) {
    return parseQuery(schema, { ...values, ...Object.fromEntries(unset.map(({ path }) => [path[0], undefined])) })
  }
  assertNotMissing(issues, values)
  if (issues.some(isOfId)) throw new BadRequest()
  throw new Invalid(fieldErrors(issues, 0))
}

/** An empty id is an error: dropping it would return everybody's records instead of somebody's. */
function isUnset(value: unknown, issue: z.core.$ZodIssue): boolean {
  return value === null || (value === '' && !isOfId(issue))
}

function isOfId(issue: z.core.$ZodIssue): boolean {
  return 'format' in issue && issue.format === 'guid'
}

function parseBody(schema: z.ZodMiniType, values: Record<string, unknown>) {
  const parsed = z.safeParse(schema, values, WORDS)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  assertNotMissing(issues, values)
  // `{user: {email}}`: clients know the field as `email`.
  const wrapped = issues.every((issue) => issue.path.length > 1)
  throw new Invalid(fieldErrors(issues, wrapped ? 1 : 0))
}

function assertNotMissing(issues: z.core.$ZodIssue[], values: Record<string, unknown>) {
  const missing = issues.filter((issue) => issue.path.length === 1 && values[String(issue.path[0])] === undefined)
  if (missing.length === 0) return
  throw new BadRequest(missingParameters(...missing.map((issue) => String(issue.path[0]))))
}

function fieldErrors(issues: z.core.$ZodIssue[], depth: number): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  for (const issue of issues) {
    const field = issue.path.slice(depth).join('.') || 'base'
    errors[field] = [...(errors[field] ?? []), issue.message]
  }
  return errors
}

/**
 * For errors without a message in the contract: instead of the library's type names, people see "blank" or "invalid".
 */
const WORDS = {
  error: ({ input }: { input?: unknown }) =>
    input === undefined || input === null || input === '' ? "can't be blank" : 'is invalid',
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
