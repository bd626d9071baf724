import * as z from 'zod/mini'
import { AccountAuthorization, Connected, PastedToken } from '../connections/integrations.ts'
import { data, endpoint } from '../endpoint.ts'
import { FilledText, Id, Metadata, maybe, Text } from '../wire.ts'

/** In Intercom's shape, with the address of its page. */
export const IntercomContact = z.looseObject({
  id: z.string(),
  workspace_id: z.nullable(z.string()).check(z.describe('Id of the Intercom workspace.')),
  intercom_profile_url: z.nullable(z.string()).check(z.describe('Page at Intercom.')),
})
export type IntercomContact = z.output<typeof IntercomContact>

const IntercomContactDraft = z.object({
  role: z.optional(z.enum(['user', 'lead'])).check(z.describe('Intercom’s kind of contact.')),
  external_id: maybe(Text(255)).check(z.describe('The id that your own system has for the person.')),
  email: maybe(Text(255)),
  phone: maybe(Text(100)),
  name: maybe(Text(255)),
  avatar: maybe(Text(2000)).check(z.describe('URL of a picture.')),
  custom_attributes: z.optional(Metadata).check(z.describe('As defined in Intercom.')),
  customer_id: maybe(Id).check(z.describe('The customer to link. If left out, the one with that e-mail address.')),
})
export type IntercomContactDraft = z.output<typeof IntercomContactDraft>

/** Calls about Intercom. */
export const intercom = {
  oauth: endpoint('admin', 'GET', '/api/intercom/callback', {
    summary: 'Connects Intercom with the code of its consent page, for clients without a state.',
    query: z.object({ code: FilledText(4000).check(z.describe('Intercom’s code.')) }),
    answer: Connected,
    limit: 'message',
    session_only: true,
  }),
  connect: endpoint('admin', 'POST', '/api/intercom/auth', {
    summary: 'Connects Intercom with an access token, after testing it.',
    body: PastedToken,
    answer: Connected,
    limit: 'message',
    session_only: true,
  }),
  get: endpoint('user', 'GET', '/api/intercom/authorization', {
    summary: 'Returns the Intercom connection, or null.',
    answer: data(z.nullable(AccountAuthorization)),
  }),
  remove: endpoint('admin', 'DELETE', '/api/intercom/authorizations/:id', {
    summary: 'Disconnects Intercom. Nothing is changed there.',
    answer: z.null(),
    status: 204,
  }),
  contacts: endpoint('user', 'GET', '/api/intercom/contacts', {
    summary: 'Lists Intercom contacts: those with this email address, or all of these fields, or the first page.',
    query: z.object({
      email: z.optional(Text(255)),
      phone: z.optional(Text(100)),
      name: z.optional(Text(255)),
      external_id: z.optional(Text(255)).check(z.describe('The id that your own system has for the person.')),
    }),
    answer: data(z.array(IntercomContact)),
    limit: 'message',
  }),
  createContact: endpoint('user', 'POST', '/api/intercom/contacts', {
    summary: 'Creates an Intercom contact, or returns the existing one.',
    body: IntercomContactDraft,
    answer: data(IntercomContact),
    limit: 'message',
  }),
}
