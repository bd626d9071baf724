import * as z from 'zod/mini'
import { parseForeignJson } from '../../platform/json.ts'

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

/** A message in Slack's shape, with the fields we use. */
export const SlackMessage = z.object({
  ts: z.string(),
  user: text,
  text: z.optional(z.nullable(z.string())),
  subtype: text,
  thread_ts: text,
  /** The author of the thread's first message. */
  parent_user_id: text,
  bot_id: text,
  /** The author's workspace, in shared channels. */
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

/** A pressed button. */
export const PressEvent = z.object({
  type: z.literal('press'),
  user: z.string(),
  /** The workspace of the person who pressed it. */
  user_team: text,
  channel: z.string(),
  action: z.string(),
  value: z.string(),
  action_ts: z.string(),
})

/** Slack dropped events of a workspace from this minute on, because there were too many. */
const LimitedEvent = z.object({
  type: z.literal('app_rate_limited'),
  /** In seconds since 1970. */
  minute_rate_limited: z.int().check(z.gte(0), z.lte(9_999_999_999)),
})

/** The events we handle. All others are ignored. */
export const SlackEvent = z.union([MessageEvent, ReactionEvent, JoinedEvent, EndedEvent, PressEvent, LimitedEvent])
export type SlackEvent = z.output<typeof SlackEvent>

/** An event with the workspaces it names. */
export interface FromSlack extends Named {
  event_id: string | undefined
  event: SlackEvent
}

/** The workspaces and app named by a call. This proves nothing; the signature does. */
export interface Named {
  /**
   * In a shared channel, the event's own workspace is named beside the one where the app is installed, in either order.
   */
  team_ids: string[]
  app_id: string | undefined
}

const MAX_TEAMS = 10
const id = z.optional(z.nullable(z.object({ id: text })))
const NamingCall = z.object({
  team_id: text,
  context_team_id: z.optional(z.nullable(z.string())),
  authorizations: z.optional(z.nullable(z.array(z.object({ team_id: z.optional(z.nullable(z.string())) })))),
  team: id,
  api_app_id: text,
})

/** The workspaces and app of any call. */
export function readNamed(payload: unknown): Named {
  const call = z.safeParse(NamingCall, payload)
  if (!call.success) return { team_ids: [], app_id: undefined }
  const { team_id, context_team_id, authorizations, team, api_app_id } = call.data
  const named = [
    team_id,
    context_team_id,
    team?.id,
    ...(authorizations ?? []).map((authorization) => authorization.team_id),
  ]
  const team_ids = named.filter((id): id is string => !!id && /^[A-Z0-9]{2,20}$/.test(id))
  return { team_ids: [...new Set(team_ids)].slice(0, MAX_TEAMS), app_id: api_app_id }
}

const EventCall = z.object({ type: text, event_id: text, event: z.optional(z.unknown()) })

/** Parses an event; undefined for those we ignore. */
export function readEvent(payload: unknown): FromSlack | undefined {
  const call = z.safeParse(EventCall, payload)
  if (!call.success) return undefined
  const { type, event_id, event: inner } = call.data
  const event = z.safeParse(SlackEvent, type === 'app_rate_limited' ? payload : inner)
  return event.success ? { ...readNamed(payload), event_id, event: event.data } : undefined
}

const ActionCall = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: z.string(), team_id: text }),
  channel: z.object({ id: z.string() }),
  actions: z.array(
    z.object({ type: z.string(), action_id: z.string(), value: z.optional(z.string()), action_ts: z.string() }),
  ),
})

/** Parses pressed buttons; empty for all other interactions. */
export function readPresses(payload: unknown): FromSlack[] {
  const call = z.safeParse(ActionCall, payload)
  if (!call.success) return []
  const { user, channel, actions } = call.data
  const who = { user: user.id, ...(user.team_id && { user_team: user.team_id }), channel: channel.id }
  return actions
    .filter(({ type, value }) => type === 'button' && !!value)
    .map(({ action_id, value, action_ts }) => ({
      ...readNamed(payload),
      event_id: undefined,
      event: { type: 'press', ...who, action: action_id, value: value!, action_ts },
    }))
}

/** The payload of a call: JSON, directly or in the form of an interaction. */
export function parseCall(text: string): unknown {
  const json = text.trimStart().startsWith('{') ? text : new URLSearchParams(text).get('payload')
  return parseForeignJson(json ?? '')
}

/** The message an event is about, in its new or old version. */
export function messageOf(event: MessageEvent): SlackMessage {
  return event.message ?? event.previous_message ?? event
}

/** Whether a message was deleted. One with replies stays as a tombstone, which Slack reports as a change. */
export function isDeletion({ subtype, message }: MessageEvent): boolean {
  return subtype === 'message_deleted' || (subtype === 'message_changed' && message?.subtype === 'tombstone')
}

/** The timestamp of the thread's first message, which identifies the thread. */
export function threadOf(message: SlackMessage): string {
  return message.thread_ts ?? message.ts
}

/** Subtypes of messages with text by a person. */
const SAYING = new Set([undefined, 'file_share', 'thread_broadcast', 'me_message'])

export function isUserMessage({ subtype, user, bot_id }: SlackMessage): boolean {
  return SAYING.has(subtype) && !!user && !bot_id
}
