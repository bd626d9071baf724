import * as z from 'zod/mini'
import { AccountAuthorization, Connected, PastedToken } from '../connections/integrations.ts'
import { data, endpoint } from '../endpoint.ts'
import { FilledText, maybe, Text } from '../wire.ts'

/** In HubSpot's shape, with the address of its page. */
export const HubspotContact = z.looseObject({
  id: z.string(),
  properties: z.optional(z.record(z.string(), z.nullable(z.string()))).check(z.describe('As HubSpot names them.')),
  hubspot_profile_url: z.nullable(z.string()).check(z.describe('Page at HubSpot.')),
})
export type HubspotContact = z.output<typeof HubspotContact>

const HubspotContactDraft = z.object({
  email: maybe(Text(255)),
  first_name: maybe(Text(255)),
  last_name: maybe(Text(255)),
  phone: maybe(Text(100)),
  company: maybe(Text(255)),
  website: maybe(Text(500)),
})
export type HubspotContactDraft = z.output<typeof HubspotContactDraft>

/** Calls about HubSpot. */
export const hubspot = {
  oauth: endpoint('admin', 'GET', '/api/hubspot/oauth', {
    summary: 'Connects HubSpot with the code of its consent page, for clients without a state.',
    query: z.object({ code: FilledText(4000).check(z.describe('HubSpot’s code.')) }),
    answer: Connected,
    limit: 'message',
    session_only: true,
  }),
  connect: endpoint('admin', 'POST', '/api/hubspot/auth', {
    summary: 'Connects HubSpot with a service key, after testing it.',
    body: PastedToken,
    answer: Connected,
    limit: 'message',
    session_only: true,
  }),
  get: endpoint('user', 'GET', '/api/hubspot/authorization', {
    summary: 'Returns the HubSpot connection, or null.',
    answer: data(z.nullable(AccountAuthorization)),
  }),
  remove: endpoint('admin', 'DELETE', '/api/hubspot/authorizations/:id', {
    summary: 'Disconnects HubSpot. Nothing is changed there.',
    answer: z.null(),
    status: 204,
  }),
  contacts: endpoint('user', 'GET', '/api/hubspot/contacts', {
    summary: 'Lists HubSpot contacts: the one with an email address, those with all of these fields, or the first 100.',
    query: z.object({
      email: z.optional(Text(255)),
      first_name: z.optional(Text(255)),
      last_name: z.optional(Text(255)),
      phone: z.optional(Text(100)),
      company: z.optional(Text(255)),
      website: z.optional(Text(500)),
    }),
    answer: data(z.array(HubspotContact)),
    limit: 'message',
  }),
  createContact: endpoint('user', 'POST', '/api/hubspot/contacts', {
    summary: 'Creates a HubSpot contact, or returns the existing one.',
    body: HubspotContactDraft,
    answer: data(HubspotContact),
    limit: 'message',
  }),
}
