import * as z from 'zod/mini'
import { displayName } from '#contract/customers/customers.ts'
import { Id, isId } from '#contract/wire.ts'
import { declareChannel, epochSeconds, ping } from '../../../channel.ts'
import type { Context } from '../../../context.ts'
import { isTeamOf, type User } from '../../../platform/caller.ts'
import type { Channel } from '../../../platform/realtime/channel.ts'
import { type ChannelDefinition, type ChannelSession, Refused } from '../../../platform/realtime/channel.ts'
import type { Payload } from '../../../platform/realtime/frames.ts'
import { topicKey } from '../../../platform/realtime/topic-key.ts'
import { getSession, type SessionRow } from './live-sessions.ts'
import { findRecorderSession, restartSession } from './recorder-sessions.ts'
import { presenceKey, topics } from './topics.ts'
import { assertLiveSessionsOn, assertMayWatch, recordWatching } from './watching.ts'

export function sessionChannels(context: Context): ChannelDefinition[] {
  return [recorderChannel(context), liveListChannel(context), watcherChannel(context)]
}

/** The recorder of one tab. Its data is forwarded while somebody watches, and stored nowhere. */
function recorderChannel(context: Context) {
  const { db, config } = context
  return declareChannel('events:{account_id}:{session_id}', async ({ params, payload, channel: joined }) => {
    assertLiveSessionsOn(config)
    const { account_id, session_id } = params
    const session = isId(session_id) ? await findRecorderSession(db, session_id, payload.token) : undefined
    if (session?.account_id !== account_id.toLowerCase()) throw new Refused({ reason: 'unauthorized' })
    return recorderSession(context, joined, session, payload)
  })
}

function recorderSession(
  { change, realtime }: Context,
  joined: Channel,
  { account_id, id, metadata, finished_at }: SessionRow,
  { token }: Payload,
): ChannelSession {
  const online_at = epochSeconds()
  const listKey = topicKey(account_id, topics.all(account_id))
  const watchersKey = topicKey(account_id, topics.watchers(account_id, id))
  let pathname = pathnameOf(metadata)

  function showActive(active: boolean) {
    const meta = { online_at, account_id, session_id: id, active, ts: new Date().toISOString(), pathname }
    realtime.presence.track(listKey, presenceKey(id), meta, joined)
  }
  const send = (event: string, payload: object) => void realtime.broadcast(watchersKey, event, payload)
  const listWatchers = async () => (await realtime.presence.list(joined.key))[presenceKey(id)]?.metas ?? []
  /** Data of recorders that nobody watches is dropped, and costs other servers nothing. */
  async function forwardOne(payload: z.output<typeof OneEvent>) {
    if ((await listWatchers()).length > 0) send('replay:event:emitted', payload)
  }
  /** Viewers of Papercups only know single events, and no past: they get copies, which our own viewers ignore. */
  async function forwardBatch(batch: z.output<typeof SeveralEvents>) {
    const watchers = await listWatchers()
    if (watchers.length > 0) send('replay:events', batch)
    if (batch.is_past || watchers.every(({ takes_batches }) => takes_batches)) return
    for (const event of batch.events) send('replay:event:emitted', { event, customer_id: null, is_copy: true })
  }
  const recordActivity = (active: boolean) => async (payload: Payload) => {
    pathname = pathnameOf(payload) ?? pathname
    showActive(active)
    return undefined
  }
  return {
    account_id,
    carriesLargeFrames: true,
    on: {
      ping,
      'session:active': recordActivity(true),
      'session:inactive': recordActivity(false),
      'replay:event:emitted': async (payload) => {
        await forwardOne(z.parse(OneEvent, payload))
        return undefined
      },
      'replay:events': async (payload) => {
        await forwardBatch(z.parse(SeveralEvents, payload))
        return undefined
      },
    },
    async joined() {
      showActive(true)
      // Sent at once if somebody is watching: a reconnected recorder starts with a new snapshot.
      await realtime.presence.pushState(joined)
      if (finished_at) await change((tx) => restartSession(tx, id, token))
    },
  }
}

/** An event of rrweb. Its contents are only interpreted inside the replay box. */
const ReplayEvent = z.record(z.string(), z.unknown())
const OneEvent = z.object({ event: ReplayEvent, customer_id: z.optional(z.catch(z.nullable(Id), null)) })
const SeveralEvents = z.object({
  events: z.array(ReplayEvent).check(z.maxLength(5_000)),
  /** From the minute before somebody began to watch. */
  is_past: z.optional(z.boolean()),
})

const MAX_PATH_LENGTH = 500

function pathnameOf(payload: Payload | null): string | undefined {
  const { pathname } = payload ?? {}
  return typeof pathname === 'string' && pathname.startsWith('/') ? pathname.slice(0, MAX_PATH_LENGTH) : undefined
}

/** The connected recorders, and the tabs in use. */
function liveListChannel(context: Context) {
  return declareChannel('events:admin:{account_id}:all', async ({ caller, params, channel: joined }) => {
    const { account_id, recheck } = await authorizeWatcher(context, caller, params.account_id)
    return { account_id, recheck, on: { ping }, joined: () => context.realtime.presence.pushState(joined) }
  })
}

/** A user watching one session; its recorder learns that by presence on its own topic. */
function watcherChannel(context: Context) {
  const { db, change, realtime } = context
  return declareChannel(
    'events:admin:{account_id}:{session_id}',
    async ({ caller, params, payload, channel: joined }) => {
      const admitted = await authorizeWatcher(context, caller, params.account_id)
      const { account_id } = admitted
      const id = params.session_id.toLowerCase()
      if (!isId(id)) throw new Refused({ reason: 'unauthorized' })
      const { customer } = await getSession(db, account_id, id)
      return {
        account_id,
        recheck: admitted.recheck,
        carriesLargeFrames: true,
        on: { ping },
        async joined() {
          const takes_batches = payload.takes_batches === true
          const meta = { online_at: epochSeconds(), account_id, session_id: id, admin: true, takes_batches }
          const recorder = topicKey(account_id, topics.recorder(account_id, id))
          realtime.presence.track(recorder, presenceKey(id), meta, joined)
          const subject = { subject_id: id, subject_name: displayName(customer) }
          await change((tx) => recordWatching(tx, admitted.watcher, subject))
        },
      }
    },
  )
}

/** Admits team members to topics of live sessions, and checks again when the account changes who may watch. */
async function authorizeWatcher(context: Context, caller: Channel['caller'], account_id: string) {
  if (!isTeamOf(account_id, caller)) throw new Refused({ reason: 'unauthorized' })
  const authorize = (watcher: User) =>
    assertMayWatch(context, watcher).catch(() => {
      throw new Refused({ reason: 'unauthorized' })
    })
  await authorize(caller)
  return {
    account_id,
    watcher: caller,
    recheck: ({ customer_ids }: { customer_ids: string[] | null }) => (customer_ids ? undefined : authorize(caller)),
  }
}
