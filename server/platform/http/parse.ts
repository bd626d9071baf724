import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { BadRequest, Invalid, missingParameters } from '../../errors.ts'

/** What a request brought, before it is parsed. */
export interface Given {
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
}

/** Of two spellings of an id the database writes the small one, so that is the one to compare with. */
const Id = z.guid().check(z.toLowerCase())

/**
 * Reads what a call was given. As on the old wire, query, body and path are one map in which the later wins, so a
 * client may send an account id in either place. Malformed ids in path or query answer 400, fields 422.
 */
export function parseInput(endpoint: Endpoint, given: Given) {
  const fields = isRecord(given.body) ? given.body : {}
  const all = { ...given.query, ...fields, ...given.params }
  return {
    params: parseParams(endpoint, given.params),
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

function parseQuery(schema: z.ZodMiniType, given: Record<string, unknown>): unknown {
  const parsed = z.safeParse(schema, given, WORDS)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  // A filter that is not set comes as `status` or `status=` from clients that write every filter they know.
  const unset = issues.filter((issue) => isUnset(given[String(issue.path[0])], issue))
  if (unset.length > 0) {
    return parseQuery(schema, { ...given, ...Object.fromEntries(unset.map(({ path }) => [path[0], undefined])) })
  }
  refuseMissing(issues, given)
  if (issues.some(isOfId)) throw new BadRequest()
  throw new Invalid(fieldErrors(issues, 0))
}

/** An empty id is a mistake: without it everybody's records would be answered for somebody's. */
function isUnset(value: unknown, issue: z.core.$ZodIssue): boolean {
  return value === null || (value === '' && !isOfId(issue))
}

function isOfId(issue: z.core.$ZodIssue): boolean {
  return 'format' in issue && issue.format === 'guid'
}

function parseBody(schema: z.ZodMiniType, given: Record<string, unknown>) {
  const parsed = z.safeParse(schema, given, WORDS)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  refuseMissing(issues, given)
  // `{user: {email}}`: clients know the field as `email`.
  const wrapped = issues.every((issue) => issue.path.length > 1)
  throw new Invalid(fieldErrors(issues, wrapped ? 1 : 0))
}

function refuseMissing(issues: z.core.$ZodIssue[], given: Record<string, unknown>) {
  const missing = issues.filter((issue) => issue.path.length === 1 && given[String(issue.path[0])] === undefined)
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

/** Where the contract gives no words of its own: the library's name types, people are told blank or invalid. */
const WORDS = {
  error: ({ input }: { input?: unknown }) =>
    input === undefined || input === null || input === '' ? "can't be blank" : 'is invalid',
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
