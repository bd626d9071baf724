import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { BooleanInput, FilledText, Id, ifAny, maybe, Text, Timestamp } from '../wire.ts'

/** `reply`: a channel in which the team replies. `support`: channels in which customers write. */
export const SlackType = z.enum(['reply', 'support'])
export type SlackType = z.output<typeof SlackType>

/** A connected channel, without its tokens. */
export const SlackAuthorization = z.object({
  id: z.string(),
  object: z.literal('slack_authorization'),
  account_id: z.string(),
  inbox_id: z.nullable(z.string()),
  type: SlackType.check(z.describe('`reply` for answering from Slack, `support` for channels shared with customers.')),
  channel: z.string().check(z.describe('Its name, beginning with #.')),
  channel_id: z.string().check(z.describe('Id of the channel.')),
  configuration_url: z
    .nullable(z.string())
    .check(z.describe('Where the app is configured in Slack; null if it was connected by tokens.')),
  team_id: z.string().check(z.describe('Id of the workspace.')),
  team_name: z.string().check(z.describe('Name of the workspace.')),
  bot_token: z.string().check(z.describe('A mask if there is one. Sending the mask back keeps the token.')),
  app_token: z
    .nullable(z.string())
    .check(z.describe('A mask of the token for live connections; null if Slack calls this server.')),
  settings: z.object({
    sync_all_incoming_threads: z
      .boolean()
      .check(z.describe('Every new thread of a support channel becomes a conversation.')),
    sync_by_emoji_tagging: z.boolean().check(z.describe('Threads with the emoji become conversations.')),
    sync_trigger_emoji: z.string().check(z.describe('Name of the emoji.')),
    forward_synced_messages_to_reply_channel: z
      .boolean()
      .check(z.describe('Shows these conversations in the reply channel, too.')),
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type SlackAuthorization = z.output<typeof SlackAuthorization>

/** A channel in Slack's shape, with the fields that clients use. */
export const SlackChannel = z.object({
  id: z.string(),
  name: z.string(),
  is_channel: z.boolean().check(z.describe('False for group conversations.')),
  is_private: z.boolean().check(z.describe('Whether only members see it.')),
  is_archived: z.boolean().check(z.describe('Whether it was archived.')),
  is_member: z.boolean().check(z.describe('Whether the app is a member of it.')),
  topic: z.object({ value: z.string().check(z.describe('The text.')) }),
  purpose: z.object({ value: z.string().check(z.describe('The text.')) }),
})
export type SlackChannel = z.output<typeof SlackChannel>

const Tokens = {
  type: ifAny(SlackType).check(
    z.describe('`reply` for answering from Slack, `support` for channels shared with customers.'),
  ),
  inbox_id: maybe(Id),
  id: maybe(Id).check(z.describe("The connection to change; without it, the one of the token's workspace.")),
  bot_token: maybe(
    Text(500).check(
      z.meta({ examples: ['xoxb-1-2-abc'], description: 'Token of the bot. Send the mask back to keep it.' }),
    ),
  ),
  app_token: maybe(
    Text(500).check(
      z.meta({
        examples: ['xapp-1-2-abc'],
        description: 'Token for live connections, so that Slack need not reach this server.',
      }),
    ),
  ),
}
/** The tokens of a Slack app, pasted by an admin. Masked ones stay unchanged. */
export const SlackTokens = z.object(Tokens)
export type SlackTokens = z.output<typeof SlackTokens>

/** Input of connecting a workspace: tokens and channel. */
export const SlackDraft = z.object({ ...Tokens, channel_id: FilledText(50).check(z.describe('Id of the channel.')) })
export type SlackDraft = z.output<typeof SlackDraft>

/** The workspace of the tokens, before anything is connected. */
export const SlackWorkspace = z.object({
  team_id: z.string().check(z.describe('Id of the workspace.')),
  team_name: z.string().check(z.describe('Name of the workspace.')),
  bot_name: z.string().check(z.describe('The name of the app in the workspace, for inviting it.')),
  channels: z.array(SlackChannel).check(z.describe('Channels that the app sees.')),
})
export type SlackWorkspace = z.output<typeof SlackWorkspace>

/** A payload of Slack, parsed where it is handled. */
const FromSlack = z.looseObject({})

/** Calls about Slack. */
export const slack = {
  oauth: endpoint('admin', 'GET', '/api/slack/oauth', {
    summary: 'Connects the channel chosen on Slack’s consent page, with the code it returned.',
    query: z.object({
      code: FilledText(1000).check(z.describe('Slack’s code.')),
      type: z
        .optional(SlackType)
        .check(z.describe('`reply` for answering from Slack, `support` for channels shared with customers.')),
      inbox_id: z.optional(Id),
      redirect_url: z.optional(Text(2000)).check(z.describe('As it was sent to Slack.')),
    }),
    answer: data(z.object({ ok: z.boolean() })),
    limit: 'message',
    session_only: true,
  }),
  lookup: endpoint('admin', 'POST', '/api/slack/workspace', {
    summary: 'Tests the tokens of a Slack app, and returns the channels of its workspace. Connects nothing.',
    body: z.object({ authorization: SlackTokens }),
    answer: data(SlackWorkspace),
    limit: 'message',
    session_only: true,
  }),
  connect: endpoint('admin', 'POST', '/api/slack/auth', {
    summary:
      'Connects a channel with the tokens of a Slack app, after testing them. Masked tokens keep the stored ones.',
    body: z.object({ authorization: SlackDraft }),
    answer: data(z.object({ ok: z.boolean(), id: z.string() })),
    limit: 'message',
    session_only: true,
  }),
  authorization: endpoint('user', 'GET', '/api/slack/authorization', {
    summary: 'Returns the connected channel of an inbox or of the account, or null.',
    query: z.object({
      type: z
        .optional(SlackType)
        .check(z.describe('`reply` for answering from Slack, `support` for channels shared with customers.')),
      inbox_id: z.optional(Id),
      id: z.optional(Id),
    }),
    answer: data(z.nullable(SlackAuthorization)),
  }),
  authorizations: endpoint('user', 'GET', '/api/slack/authorizations', {
    summary: 'Lists the connected channels, one of each workspace, oldest first.',
    query: z.object({
      type: z
        .optional(SlackType)
        .check(z.describe('`reply` for answering from Slack, `support` for channels shared with customers.')),
      inbox_id: z.optional(Id),
    }),
    answer: data(z.array(SlackAuthorization)),
  }),
  settings: endpoint('admin', 'POST', '/api/slack/authorizations/:id/settings', {
    summary: 'Sets which messages of a channel with customers become conversations.',
    body: z.object({
      settings: z.object({
        sync_all_incoming_threads: ifAny(BooleanInput).check(
          z.describe('Every new thread of a support channel becomes a conversation.'),
        ),
        sync_by_emoji_tagging: ifAny(BooleanInput).check(z.describe('Threads with the emoji become conversations.')),
      }),
    }),
    answer: data(SlackAuthorization),
  }),
  remove: endpoint('admin', 'DELETE', '/api/slack/authorizations/:id', {
    summary: 'Disconnects a channel. Its threads stay in Slack; waiting deliveries are kept for the next connection.',
    answer: z.null(),
    status: 204,
  }),
  channels: endpoint('user', 'GET', '/api/slack/channels', {
    summary: 'Lists the channels of a connected workspace that the app may see.',
    query: z.object({
      authorization_id: z.optional(Id).check(z.describe('The connection.')),
      slack_authorization_id: z.optional(Id).check(z.describe('Another name of `authorization_id`.')),
      team_id: z.optional(Text(50)).check(z.describe('Id of the workspace.')),
      type: z
        .optional(SlackType)
        .check(z.describe('`reply` for answering from Slack, `support` for channels shared with customers.')),
    }),
    answer: data(z.array(SlackChannel)),
    limit: 'message',
  }),
  notify: endpoint('user', 'POST', '/api/slack/notify', {
    summary:
      'Posts a message to a connected channel, or another one of its workspace. Returns null if none is connected.',
    body: z.object({
      text: FilledText(3000).check(z.describe('The message.')),
      type: ifAny(SlackType).check(
        z.describe('`reply` for answering from Slack, `support` for channels shared with customers.'),
      ),
      channel: maybe(Text(100)).check(z.describe('Id of the channel; the connected one by default.')),
    }),
    answer: data(
      z.nullable(
        z.object({
          ok: z.boolean(),
          channel: z.string().check(z.describe('Id of the channel.')),
          ts: z.string().check(z.describe('Slack’s id of the message.')),
        }),
      ),
    ),
    limit: 'message',
  }),
  webhook: endpoint('signed', 'POST', '/api/slack/webhook', {
    summary: 'Receives an event of Slack, which is stored before the response. A challenge is returned.',
    signature: 'slack',
    body: FromSlack,
    answer: z.string(),
    limit: 'none',
  }),
  actions: endpoint('signed', 'POST', '/api/slack/actions', {
    summary: 'Receives a button press in Slack.',
    signature: 'slack',
    body: z.looseObject({
      payload: z.optional(z.string()).check(z.describe('JSON of an interaction, as Slack sends it.')),
    }),
    answer: z.string(),
    limit: 'none',
  }),
}
