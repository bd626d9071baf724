import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { FilledText, Id, maybe, Text, Timestamp } from '../wire.ts'

/** A Mattermost channel in which the team replies. Of tokens only the last characters are included. */
export const MattermostAuthorization = z.object({
  id: z.string(),
  object: z.literal('mattermost_authorization'),
  inbox_id: z.nullable(z.string()),
  mattermost_url: z.string().check(z.describe('Base URL of the Mattermost server.')),
  channel: z.string().check(z.describe('Name of the channel.')),
  channel_id: z.string().check(z.describe('Id of the channel.')),
  channel_name: z.string().check(z.describe('Name of the channel.')),
  team_id: z.string().check(z.describe('Id of the team at the other system.')),
  team_name: z.string().check(z.describe('Name of the team at the other system.')),
  team_domain: z.string().check(z.describe('Part of the team’s URL.')),
  access_token: z.string().check(z.describe('Of a bot or a person. Send the mask back to keep it.')),
  verification_token: z.string().check(z.describe('A mask of the token that proves Mattermost’s calls.')),
  created_at: Timestamp,
})
export type MattermostAuthorization = z.output<typeof MattermostAuthorization>

/** A channel in Mattermost's shape, with the fields that clients use. */
export const MattermostChannel = z.object({
  id: z.string(),
  name: z.string(),
  display_name: z.string().check(z.describe('The name that people see.')),
  team_id: z.string().check(z.describe('Id of the team at the other system.')),
  team_name: z.string().check(z.describe('Name of the team at the other system.')),
  type: z.string().check(z.describe('Mattermost’s kind of channel: `O` for public, `P` for private.')),
})
export type MattermostChannel = z.output<typeof MattermostChannel>

const Address = FilledText(500).check(z.regex(/^https?:\/\/[^\s/]+/i, 'must begin with https:// or http://'))

/** A server and a token of its bot. */
const MattermostServer = z.object({
  mattermost_url: z.optional(Text(500)).check(z.describe('Base URL of the Mattermost server.')),
  access_token: z.optional(Text(500)).check(z.describe('Of a bot or a person. Send the mask back to keep it.')),
  inbox_id: z.optional(Id),
})
export type MattermostServer = z.output<typeof MattermostServer>

const MattermostDraft = z.object({
  id: maybe(Id).check(z.describe('The connection to change; without it, a new one.')),
  inbox_id: maybe(Id),
  mattermost_url: Address.check(z.describe('Base URL of the Mattermost server.')),
  access_token: maybe(Text(500)).check(z.describe('Of a bot or a person. Send the mask back to keep it.')),
  verification_token: maybe(Text(500)).check(
    z.describe('Token of an outgoing webhook; we create one if there is none.'),
  ),
  channel_id: FilledText(50).check(z.describe('Id of the channel.')),
  channel_name: maybe(Text(200)).check(z.describe('Name of the channel.')),
  team_id: maybe(Text(50)).check(z.describe('Id of the team at the other system.')),
  team_domain: maybe(Text(200)).check(z.describe('Part of the team’s URL.')),
})
export type MattermostDraft = z.output<typeof MattermostDraft>

/** Calls about Mattermost. */
export const mattermost = {
  connect: endpoint('admin', 'POST', '/api/mattermost/auth', {
    summary: 'Connects a channel, after testing its bot. Masked tokens keep the stored ones.',
    body: z.object({ authorization: MattermostDraft }),
    answer: data(z.object({ ok: z.boolean(), id: z.string() })),
    limit: 'message',
    session_only: true,
  }),
  get: endpoint('admin', 'GET', '/api/mattermost/authorization', {
    summary: 'Returns the connected channel of an inbox or of the account, or null.',
    query: z.object({ inbox_id: z.optional(Id) }),
    answer: data(z.nullable(MattermostAuthorization)),
  }),
  findChannels: endpoint('admin', 'POST', '/api/mattermost/channels', {
    summary: 'Lists the channels a bot may see; none if the URL is invalid.',
    body: z.object({ authorization: MattermostServer }),
    answer: data(z.array(MattermostChannel)),
    limit: 'message',
    session_only: true,
  }),
  channels: endpoint('admin', 'GET', '/api/mattermost/channels', {
    summary: 'For old clients, with the token in the address, which servers and proxies log: use POST instead.',
    query: MattermostServer,
    answer: data(z.array(MattermostChannel)),
    limit: 'message',
    session_only: true,
  }),
  remove: endpoint('admin', 'DELETE', '/api/mattermost/authorizations/:id', {
    summary: 'Disconnects a channel. Its posts are kept there.',
    answer: z.null(),
    status: 204,
  }),
  webhook: endpoint('signed', 'POST', '/api/mattermost/webhook', {
    summary: 'Receives a call of an outgoing webhook with the verification token.',
    signature: 'mattermost',
    body: z.looseObject({
      channel_id: z.optional(z.string()).check(z.describe('Id of the channel.')),
      post_id: z.optional(z.string()).check(z.describe('Id of the post.')),
    }),
    answer: z.string(),
    limit: 'none',
  }),
}
