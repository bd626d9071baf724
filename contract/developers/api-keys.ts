import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { BooleanInput, FilledText, maybe, TimeInput, Timestamp } from '../wire.ts'

const Scope = z.enum(['read', 'everything'])

/** A key by which programs act as the user who created it. */
export const ApiKey = z.object({
  id: z.string(),
  object: z.literal('personal_api_key'),
  label: z.string().check(z.describe('A name chosen by people.')),
  value: z.string().check(z.describe('Complete when created or revealed, otherwise abbreviated.')),
  scope: Scope.check(z.describe('`read` for reading calls only, or `everything`.')),
  account_id: z.string(),
  user_id: z.int32(),
  created_at: Timestamp,
  last_used_at: z.nullable(Timestamp).check(z.describe('Accurate to ten minutes.')),
  expires_at: z.nullable(Timestamp).check(z.describe('The key is invalid from then on.')),
})
export type ApiKey = z.output<typeof ApiKey>

const NewApiKey = z.object({
  label: FilledText(100).check(z.describe('A name chosen by people.')),
  scope: maybe(Scope).check(z.describe('`read` for reading calls only, or `everything`.')),
  expires_at: maybe(TimeInput.check(z.refine((time) => Date.parse(time) > Date.now(), 'must be in the future'))).check(
    z.describe('In the future; by default the key does not expire.'),
  ),
})
export type NewApiKey = z.output<typeof NewApiKey>

/** Calls about a user's own API keys; they cannot be made with a key. */
export const apiKeys = {
  list: endpoint('admin', 'GET', '/api/personal_api_keys', {
    session_only: true,
    summary:
      'Lists the caller’s API keys, newest first, with masked values. A key made within the last minute is shown once, to the session that made it, unless `masked` is set.',
    query: z.object({ masked: z.optional(BooleanInput).check(z.describe('`true` abbreviates the values.')) }),
    answer: data(z.array(ApiKey)),
  }),
  create: endpoint('admin', 'POST', '/api/personal_api_keys', {
    session_only: true,
    summary:
      'Creates an API key with the rights of the caller. `scope` is `everything`, or `read` for a read-only key.',
    body: NewApiKey,
    answer: data(ApiKey),
    status: 201,
  }),
  get: endpoint('admin', 'GET', '/api/personal_api_keys/:id', {
    session_only: true,
    summary: 'Returns an API key of the caller, with its value masked.',
    answer: data(ApiKey),
  }),
  reveal: endpoint('admin', 'POST', '/api/personal_api_keys/:id/reveal', {
    session_only: true,
    summary: 'Returns an API key of the caller with its value. Recorded in the audit trail.',
    answer: data(ApiKey),
  }),
  remove: endpoint('admin', 'DELETE', '/api/personal_api_keys/:id', {
    session_only: true,
    summary: 'Deletes an API key of the caller. It is invalid from then on.',
    answer: z.null(),
    status: 204,
  }),
}
