import { type Channel, Socket } from 'phoenix'
import { authSessions } from '#contract/auth-sessions.ts'
import { type ClientEvent, events } from '#contract/events.ts'
import type { Connection } from '../../ui/ConnectionStatus.tsx'
import { dismissKey, notify } from '../../ui/notices.ts'
import { call } from '../http/api.ts'
import { logError } from '../http/errors.ts'
import { readTokens } from '../session/session.ts'
import { storage } from '../storage.ts'
import { createStore, useStore } from '../store.ts'
import { createCatchUp } from './catch-up.ts'
import { remember } from './event-buffer.ts'
import { changePresence, type PresenceDiff, type PresenceMap, setPresence } from './presence.ts'
import { applyTyping, type Typing } from './typing.ts'

const ASK_THROTTLE_MS = 10_000
const NOTICE_THROTTLE_MS = 30_000
/** Most cuts heal at once; only those that last are worth a notice. */
const NOTICE_AFTER_MS = 3_000
const CATCH_UP_RETRY_MS = 2_000

/** Every event that a user receives. A new one does not compile until it stands here or among those that only customers receive. */
const RECEIVED: Record<Exclude<ClientEvent['event'], 'conversation:status'>, true> = {
  shout: true,
  'message:updated': true,
  'message:deleted': true,
  'messages:seen': true,
  'messages:read': true,
  'conversation:created': true,
  'conversation:updated': true,
  'conversation:rated': true,
  'conversation:tagged': true,
  'conversations:moved': true,
  'customer:updated': true,
  'customer:deleted': true,
  'customer:tagged': true,
  'customer_filter:updated': true,
  'customer_filter:deleted': true,
  'customer_import:updated': true,
  'company:updated': true,
  'company:deleted': true,
  'account:updated': true,
  'billing:updated': true,
  'inbox:updated': true,
  'inbox:deleted': true,
  'widget_settings:updated': true,
  'user:updated': true,
  'tag:updated': true,
  'tag:deleted': true,
  'note:created': true,
  'note:updated': true,
  'note:deleted': true,
  'issue:created': true,
  'issue:updated': true,
  'issue:deleted': true,
  'issue:linked': true,
  'issue:unlinked': true,
  'authorization:updated': true,
  'authorization:removed': true,
  'delivery:updated': true,
}

export interface Handlers {
  /** Applies events to what is on screen. Applying the same event twice must do no harm. */
  apply(events: ClientEvent[]): void
  /** Somebody came or went. */
  applyPresence(diff: PresenceDiff): void
  /** Too much was missed: everything is loaded afresh. */
  reload(): void
  /** Every event that was missed has been applied. */
  caughtUp(): void
}

let channel: Channel | undefined
const connection = createStore<Connection>('connecting')

/** Sends the server something about this account. Kept for a moment while the connection is down. */
export function sendToTeam(event: 'read' | 'typing', payload: object) {
  channel?.push(event, payload)
}

let viewing: string | null = null

/** Tells the team which conversation is on screen here, again after every reconnection. */
export function sendViewing(conversation_id: string | null) {
  if (viewing === conversation_id) return
  viewing = conversation_id
  channel?.push('viewing', { conversation_id })
}

/** Whether what is on screen is what is true. */
export function useConnection(): Connection {
  return useStore(connection, (state) => state)
}

/**
 * Opens the tab's only socket and keeps it open for good. Resolves once the place in the event log is known, so that
 * loading may begin; events received from then on go to the handlers. Returns how to close it.
 */
export async function connectLive(account_id: string, handlers: Handlers): Promise<() => void> {
  // Its own storage, which it would need for long polling alone, may be forbidden.
  const socket = new Socket('/socket', {
    // Not in the address, which proxies log.
    // Asked again at each connection, which its types do not say yet.
    authToken: (() => readTokens()?.token ?? '') as unknown as string,
    sessionStorage: storage,
  })
  const joined = socket.channel(`notification:${account_id}`, {})
  const sync = createSync(handlers)
  await sync.start()

  channel = joined
  listen(joined, sync, handlers)
  // The callback stays with the join and runs again after every reconnection.
  joined.join().receive('ok', () => {
    if (viewing) joined.push('viewing', { conversation_id: viewing })
    void sync.comeBack()
  })
  joined.onError(sync.fallBehind)
  socket.onClose(sync.fallBehind)
  socket.onError(healSocket())
  socket.onOpen(() => dismissKey('socket'))
  socket.connect()

  // The browser knows of a lost network long before a heartbeat is missed.
  const reconnect = () => socket.disconnect(() => socket.connect())
  window.addEventListener('online', reconnect)
  window.addEventListener('offline', sync.fallBehind)
  return () => {
    window.removeEventListener('online', reconnect)
    window.removeEventListener('offline', sync.fallBehind)
    sync.fallBehind()
    joined.leave()
    socket.disconnect()
    channel = undefined
    setPresence({})
    connection.set('connecting')
  }
}

type Sync = ReturnType<typeof createSync>

/** What is known of the connection: behind, catching up, or live. */
function createSync(handlers: Handlers) {
  const apply = (events: ClientEvent[]) => {
    for (const event of events) remember(event)
    handlers.apply(events)
  }
  const ask = (after: string | undefined) => call(events.after, { query: { after } })
  const catchUp = createCatchUp({ ask, apply, reload: handlers.reload })
  /** Counts the comings and goings, so that a catch-up that was overtaken by another cut gives up. */
  let turn = 0

  return {
    apply,
    moveTo: catchUp.moveTo,
    start: () => catchUp.start().catch((error) => logError('Cursor not taken', error)),

    fallBehind() {
      turn++
      catchUp.fallBehind()
      connection.set('offline')
    },

    async comeBack() {
      const mine = ++turn
      connection.set('catching-up')
      while (mine === turn) {
        const isDone = await catchUp.run().then(
          () => true,
          (error) => logError('Catching up failed', error),
        )
        if (mine !== turn) return
        if (isDone) {
          connection.set('live')
          return handlers.caughtUp()
        }
        await new Promise((resolve) => setTimeout(resolve, CATCH_UP_RETRY_MS))
      }
    },
  }
}

function listen(from: Channel, { apply, moveTo }: Sync, { applyPresence }: Handlers) {
  for (const event of Object.keys(RECEIVED)) {
    from.on(event, (payload: unknown) => apply([{ event, payload } as ClientEvent]))
  }
  from.on('cursor', ({ cursor }: { cursor: string }) => moveTo(cursor))
  from.on('typing', (typing: Typing) => applyTyping(typing))
  from.on('presence_state', (state: PresenceMap) => setPresence(state))
  from.on('presence_diff', (diff: PresenceDiff) => {
    changePresence(diff)
    applyPresence(diff)
  })
}

/**
 * A refused socket may mean a token that ran out. Any call finds out and renews it, and the next attempt takes the new
 * one. Renewing without asking first would spend the token on every restart of the server, and lose the session when
 * the answer is lost with it.
 */
function healSocket(): () => void {
  let askedAt = 0
  let noticedAt = 0
  return () => {
    const now = Date.now()
    console.error('Error connecting to socket')
    if (readTokens() && now - askedAt > ASK_THROTTLE_MS) {
      askedAt = now
      call(authSessions.me, {}).catch((error) => logError('Session not renewed', error))
    }
    if (now - noticedAt < NOTICE_THROTTLE_MS) return
    noticedAt = now
    setTimeout(noticeIfStillCut, NOTICE_AFTER_MS)
  }
}

function noticeIfStillCut() {
  if (['live', 'catching-up'].includes(connection.get()) || !channel) return
  notify({ kind: 'error', title: 'Error connecting to socket. Try refreshing the page.', key: 'socket' })
}
