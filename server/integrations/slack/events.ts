import * as z from 'zod/mini'

const text = z.optional(z.string())

/** A file that somebody sent in Slack. */
export const SlackFile = z.object({
  id: text,
  name: text,
  size: z.optional(z.number()),
  mimetype: text,
  url_private_download: text,
  permalink: text,
  mode: text,
})
export type SlackFile = z.output<typeof SlackFile>

/** A message as Slack tells it, as far as anything is made of it. */
export const SlackMessage = z.object({
  ts: z.string(),
  user: text,
  text: z.optional(z.nullable(z.string())),
  subtype: text,
  thread_ts: text,
  /** Who began the thread. */
  parent_user_id: text,
  bot_id: text,
  /** The workspace of whoever wrote it, in channels that several share. */
  user_team: text,
  edited: z.optional(z.object({ ts: z.string() })),
  files: z.optional(z.nullable(z.array(SlackFile))),
  metadata: z.optional(
    z.nullable(z.object({ event_type: text, event_payload: z.optional(z.record(z.string(), z.unknown())) })),
  ),
})
export type SlackMessage = z.output<typeof SlackMessage>

const MessageEvent = z.extend(SlackMessage, {
  type: z.literal('message'),
  channel: z.string(),
  event_ts: text,
  deleted_ts: text,
  message: z.optional(SlackMessage),
  previous_message: z.optional(SlackMessage),
})
export type MessageEvent = z.output<typeof MessageEvent>

const ReactionEvent = z.object({
  type: z.literal('reaction_added'),
  user: z.string(),
  reaction: z.string(),
  item: z.object({ type: z.string(), channel: z.string(), ts: z.string() }),
  event_ts: text,
})
export type ReactionEvent = z.output<typeof ReactionEvent>

const JoinedEvent = z.object({
  type: z.literal('member_joined_channel'),
  user: z.string(),
  channel: z.string(),
  event_ts: text,
})

const EndedEvent = z.object({ type: z.enum(['app_uninstalled', 'tokens_revoked']), event_ts: text })

/** A press of a button. */
export const PressEvent = z.object({
  type: z.literal('press'),
  user: z.string(),
  channel: z.string(),
  action: z.string(),
  value: z.string(),
  action_ts: z.string(),
})

/** What is taken in. Everything else that Slack tells is passed over. */
export const SlackEvent = z.union([MessageEvent, ReactionEvent, JoinedEvent, EndedEvent, PressEvent])
export type SlackEvent = z.output<typeof SlackEvent>

/** An event of a workspace and an app. */
export interface FromSlack {
  team_id: string
  app_id: string | undefined
  event_id: string | undefined
  event: SlackEvent
}

const EventCall = z.object({
  team_id: z.string(),
  api_app_id: text,
  event_id: text,
  event: z.unknown(),
})

/** Reads an event; undefined for what nothing is made of. */
export function readEvent(payload: unknown): FromSlack | undefined {
  const call = z.safeParse(EventCall, payload)
  const event = call.success ? z.safeParse(SlackEvent, call.data.event) : undefined
  if (!call.success || !event?.success) return undefined
  return { team_id: call.data.team_id, app_id: call.data.api_app_id, event_id: call.data.event_id, event: event.data }
}

const ActionCall = z.object({
  type: z.literal('block_actions'),
  api_app_id: text,
  team: z.object({ id: z.string() }),
  user: z.object({ id: z.string() }),
  channel: z.object({ id: z.string() }),
  actions: z.array(
    z.object({ type: z.string(), action_id: z.string(), value: z.optional(z.string()), action_ts: z.string() }),
  ),
})

/** Reads presses of buttons; none for everything else that people do in Slack. */
export function readPresses(payload: unknown): FromSlack[] {
  const call = z.safeParse(ActionCall, payload)
  if (!call.success) return []
  const { api_app_id, team, user, channel, actions } = call.data
  return actions
    .filter(({ type, value }) => type === 'button' && !!value)
    .map(({ action_id, value, action_ts }) => ({
      team_id: team.id,
      app_id: api_app_id,
      event_id: undefined,
      event: { type: 'press', user: user.id, channel: channel.id, action: action_id, value: value!, action_ts },
    }))
}

/** The message that an event is about, as it is or was. */
export function messageOf(event: MessageEvent): SlackMessage {
  return event.message ?? event.previous_message ?? event
}

/** Whether a message was deleted. One that others have answered stays as a tombstone, which Slack tells as a change. */
export function isDeletion({ subtype, message }: MessageEvent): boolean {
  return subtype === 'message_deleted' || (subtype === 'message_changed' && message?.subtype === 'tombstone')
}

/** The first message of its thread, by which threads are known. */
export function threadOf(message: SlackMessage): string {
  return message.thread_ts ?? message.ts
}

/** Kinds of messages that say something by somebody. */
const SAYING = new Set([undefined, 'file_share', 'thread_broadcast', 'me_message'])

export function saysSomething({ subtype, user, bot_id }: SlackMessage): boolean {
  return SAYING.has(subtype) && !!user && !bot_id
}
