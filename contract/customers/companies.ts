import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent, Gone } from '../event.ts'
import { CountParameter, Metadata, maybe, Name, Text, Timestamp } from '../wire.ts'

const text = z.nullable(z.string())

/** A company that customers belong to. */
export const Company = z.object({
  id: z.string(),
  object: z.literal('company'),
  account_id: z.string(),
  name: z.string(),
  description: text,
  website_url: text,
  external_id: text.check(z.describe('The id that your own system has for it.')),
  logo_image_url: text,
  industry: text,
  slack_channel_id: text.check(z.describe('The Slack channel shared with this company.')),
  slack_channel_name: text.check(z.describe('Its name.')),
  slack_team_id: text.check(z.describe('Id of the Slack workspace.')),
  slack_team_name: text.check(z.describe('Name of the Slack workspace.')),
  metadata: z
    .nullable(z.record(z.string(), z.unknown()))
    .check(z.describe('Any data of yours, as JSON. Parley only stores it.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Company = z.output<typeof Company>

/** Fields of a company for creating or changing it. */
export const CompanyDraft = z.object({
  name: Name(200).check(z.trim(), z.minLength(1, "can't be blank")),
  description: maybe(Text(5000)),
  website_url: maybe(Text(2000)),
  external_id: maybe(Text(200)).check(z.describe('The id that your own system has for it.')),
  logo_image_url: maybe(Text(2000)),
  industry: maybe(Text(200)),
  slack_channel_id: maybe(Text(200)).check(z.describe('The Slack channel shared with this company.')),
  slack_channel_name: maybe(Text(200)).check(z.describe('Its name.')),
  slack_team_id: maybe(Text(200)).check(z.describe('Id of the Slack workspace.')),
  slack_team_name: maybe(Text(200)).check(z.describe('Name of the Slack workspace.')),
  metadata: maybe(Metadata),
})
export type CompanyDraft = z.output<typeof CompanyDraft>

/** A company was created or changed. */
export const companyUpdated = defineEvent('company:updated', {
  receivers: 'team',
  payload: { company: Company },
})

/** A company was deleted; its customers now have none. */
export const companyDeleted = defineEvent('company:deleted', {
  receivers: 'team',
  payload: { company_id: z.string() },
  sends: Gone,
  as: ({ company_id: id }) => ({ id }),
})

/** Calls about companies. */
export const companies = {
  list: endpoint('user', 'GET', '/api/companies', {
    for_functions: true,
    summary: 'Lists companies by name. `q` selects those that contain every word, `limit` the first of them.',
    query: z.object({
      q: z.optional(Text(200)).check(z.describe('Part of the name or website.')),
      limit: CountParameter,
    }),
    answer: data(z.array(Company)),
  }),
  create: endpoint('user', 'POST', '/api/companies', {
    for_functions: true,
    summary: 'Creates a company.',
    body: z.object({ company: CompanyDraft }),
    answer: data(Company),
    status: 201,
  }),
  get: endpoint('user', 'GET', '/api/companies/:id', {
    for_functions: true,
    summary: 'Returns a company.',
    answer: data(Company),
  }),
  update: endpoint('user', 'PUT', '/api/companies/:id', {
    summary: 'Updates a company.',
    body: z.object({ company: z.partial(CompanyDraft) }),
    answer: data(Company),
  }),
  remove: endpoint('user', 'DELETE', '/api/companies/:id', {
    summary: 'Deletes a company without customers.',
    answer: z.null(),
    status: 204,
  }),
}
