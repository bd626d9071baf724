import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { Id, Timestamp } from '../wire.ts'

/** A Slack thread of a conversation. */
export const SlackThread = z.object({
  id: z.string(),
  object: z.literal('slack_conversation_thread'),
  account_id: z.string(),
  conversation_id: z.string(),
  slack_channel: z.string().check(z.describe('Id of the channel.')),
  slack_thread_ts: z.string().check(z.describe('Slack’s id of the thread.')),
  permalink: z.nullable(z.string()).check(z.describe('URL of the thread.')),
  slack_channel_name: z.nullable(z.string()).check(z.describe('Name of the channel.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type SlackThread = z.output<typeof SlackThread>

/** The Slack threads of a conversation. */
export const slackThreads = {
  list: endpoint('user', 'GET', '/api/slack_conversation_threads', {
    summary: 'Lists the Slack threads of a conversation, oldest first.',
    query: z.object({ conversation_id: Id }),
    answer: data(z.array(SlackThread)),
  }),
}
