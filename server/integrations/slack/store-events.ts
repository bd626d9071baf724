import type { Context } from '../../context.ts'
import { recordTraffic } from '../../features/connections/authorizations/health.ts'
import { findMessage, findThread } from '../../features/connections/external-links/external-links.ts'
import { storeInbound } from '../../features/connections/inbound/store-event.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { addressOf } from './authorization.ts'
import {
  type FromSlack,
  isDeletion,
  isUserMessage,
  type MessageEvent,
  messageOf,
  type SlackEvent,
  threadOf,
} from './events.ts'
import { channelOf, findTargets, type Target } from './targets.ts'

type ConnectionOfEvent = Pick<Target, 'account_id' | 'settings'>

/**
 * Stores an event for each connection it concerns, by workspace and channel. After that it may be acknowledged to
 * Slack. If it was signed with the secrets of some accounts, it only concerns these.
 */
export async function storeEvent(context: Context, payload: FromSlack, signedBy?: string[]): Promise<void> {
  const candidates = await findTargets(context.db, payload)
  const targets = signedBy ? candidates.filter(({ account_id }) => signedBy.includes(account_id)) : candidates
  if (targets.length === 0) return
  await context.change(async (tx) => {
    for (const target of targets) await storeEventFor(context, tx, target, payload)
  })
}

async function storeEventFor(context: Context, tx: Change, target: Target, { event, event_id }: FromSlack) {
  const { account_id, id, integration } = target
  const concerns = integration === 'slack' ? concernsReply : concernsSupport
  if (await concerns(tx.db, target, event)) {
    const channel = channelOf(event)
    await storeInbound(context, tx, {
      account_id,
      integration,
      authorization_id: id,
      key: `${id} ${keyOf(event, event_id)}`,
      queue: `${id} ${channel} ${queueOf(event)}`,
      payload: { event },
      not_before: readableFrom(event),
    })
  } else if (!target.last_in_at && event.type === 'message' && isUserMessage(event)) {
    // So that people who test it with a message in the channel see that it arrives.
    await recordTraffic(tx, target, 'in')
  }
}

/** The same however often and in whatever way the event arrives. */
function keyOf(event: SlackEvent, event_id: string | undefined): string {
  switch (event.type) {
    case 'message': {
      const { ts, edited } = messageOf(event)
      if (isDeletion(event)) return `deleted ${event.channel} ${event.deleted_ts ?? ts}`
      if (event.subtype === 'message_changed') return `changed ${event.channel} ${ts} ${edited?.ts ?? event.event_ts}`
      return `message ${event.channel} ${ts}`
    }
    case 'reaction_added':
      return `reaction ${event.item.channel} ${event.item.ts} ${event.reaction}`
    case 'press':
      return `press ${event.channel} ${event.action_ts} ${event.action}`
    case 'member_joined_channel':
      return `joined ${event.channel} ${event_id ?? event.event_ts}`
    case 'app_rate_limited':
      return `limited ${event.minute_rate_limited}`
    default:
      return `ended ${event_id ?? event.event_ts}`
  }
}

/** Dropped events are read some minutes later, when Slack sends events again. */
const LIMITED_MS = 5 * 60_000

function readableFrom(event: SlackEvent): Date | undefined {
  return event.type === 'app_rate_limited' ? new Date(event.minute_rate_limited * 1000 + LIMITED_MS) : undefined
}

/** Events of one thread are handled in order. */
function queueOf(event: SlackEvent): string {
  switch (event.type) {
    case 'message':
      return threadOf(messageOf(event))
    case 'reaction_added':
      return event.item.ts
    case 'press':
      return event.value
    default:
      return event.type
  }
}

/** In a mirror: messages in our threads, presses of our buttons, and events about the whole workspace. */
async function concernsReply(db: Db, target: Target, event: SlackEvent): Promise<boolean> {
  if (event.type === 'press' || !channelOf(event)) return true
  if (event.type !== 'message') return false
  const message = messageOf(event)
  if (isOurs(target, event) || !message.thread_ts) return false
  return message.parent_user_id === target.settings.bot_user_id || isKnownThread(db, target, event.channel, message)
}

/** Where customers write: the connected channel and those of companies, depending on the settings. */
async function concernsSupport(db: Db, target: Target, event: SlackEvent): Promise<boolean> {
  const { sync_all_incoming_threads, sync_by_emoji_tagging, bot_user_id } = target.settings
  switch (event.type) {
    case 'app_uninstalled':
    case 'tokens_revoked':
    case 'app_rate_limited':
      return true
    case 'member_joined_channel':
      return event.user === bot_user_id && !(await isReplyChannel(db, target, event.channel))
    case 'reaction_added':
      return sync_by_emoji_tagging && event.reaction === 'eyes' && (await isSupported(db, target, event.item.channel))
    case 'message': {
      const message = messageOf(event)
      if (isOurs(target, event)) return false
      if (event.subtype === 'message_changed' || event.subtype === 'message_deleted') {
        const channelKey = { account_id: target.account_id, authorization_id: target.id, place: event.channel }
        return (
          (await isKnownThread(db, target, event.channel, message)) || !!(await findMessage(db, channelKey, message.ts))
        )
      }
      if (!isUserMessage(message)) return false
      const isReply = !!message.thread_ts && message.thread_ts !== message.ts
      if (isReply && (await isKnownThread(db, target, event.channel, message))) return true
      return (isReply || sync_all_incoming_threads) && (await isSupported(db, target, event.channel))
    }
    default:
      return false
  }
}

/** Messages of ours or of other programs are ignored to prevent loops. */
function isOurs({ settings }: Target, event: MessageEvent): boolean {
  const { user, bot_id } = messageOf(event)
  return !!bot_id || !!event.bot_id || user === settings.bot_user_id
}

async function isKnownThread(
  db: Db,
  { account_id, id }: Target,
  channel_id: string,
  message: Parameters<typeof threadOf>[0],
): Promise<boolean> {
  return !!(await findThread(db, { account_id, authorization_id: id, place: channel_id }, threadOf(message)))
}

/** The connected channel, or that of a company. Never one where the team replies. */
export async function isSupported(db: Db, target: ConnectionOfEvent, channel_id: string): Promise<boolean> {
  if (target.settings.channel_id === channel_id) return true
  return !!(await findCompanyOf(db, target, channel_id)) && !(await isReplyChannel(db, target, channel_id))
}

/** The company of a channel. */
export function findCompanyOf(db: Db, { account_id, settings }: ConnectionOfEvent, channel: string) {
  return ofAccount(db, account_id)
    .selectFrom('companies')
    .select(['id', 'name'])
    .where('slack_channel_id', '=', channel)
    .where((eb) => eb.or([eb('slack_team_id', 'is', null), eb('slack_team_id', '=', settings.team_id)]))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
}

async function isReplyChannel(
  db: Db,
  { account_id, settings }: ConnectionOfEvent,
  channel_id: string,
): Promise<boolean> {
  const connection = await ofAccount(db, account_id)
    .selectFrom('authorizations')
    .select('id')
    .where('integration', '=', 'slack')
    .where('address', '=', addressOf({ ...settings, channel_id }))
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return !!connection
}
