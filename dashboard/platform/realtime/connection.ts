import type { Channel, Socket } from 'phoenix'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import type { ClientEvent, events } from '#contract/events.ts'
import type { Connection } from '../../ui/ConnectionStatus.tsx'
import { dismissKey, notify } from '../../ui/notices.ts'
import { call } from '../http/api.ts'
import { logError } from '../http/errors.ts'
import { readTokens } from '../session/session.ts'
import { createStore, useStore } from '../store.ts'
import { createCatchUp } from './catch-up.ts'
import { remember } from './event-buffer.ts'
import { changePresence, type PresenceDiff, type PresenceMap, setPresence } from './presence.ts'
import { reportUse } from './report-use.ts'
import { SOCKET_OPTIONS } from './socket-options.ts'
import { applyTyping, type Typing } from './typing.ts'

/**
 * The resume feed. Only its types are imported: its declaration contains the shapes of all events, which the first
 * screen would load and never use.
 */
const missedEvents = { method: 'GET', path: '/api/events' } as typeof events.after

const RENEW_THROTTLE_MS = 10_000
const NOTICE_THROTTLE_MS = 30_000
/** Most interruptions end at once; only longer ones are shown. */
const NOTICE_AFTER_MS = 3_000
const CATCH_UP_RETRY_MS = 2_000

/**
 * How events of the contract are named. The channel's and the library's own messages, such as `cursor` and `phx_reply`,
 * have no colon, and the library reports some without a name.
 */
export const NAME_OF_EVENT = /^shout$|^\w+:\w+$/

export interface Handlers {
  /** Applies events to the cache. Applying the same event twice must do no harm. */
  apply(events: ClientEvent[]): void
  /** Users or customers connected or disconnected. */
  applyPresence(diff: PresenceDiff): void
  /** Too many events were missed: everything is reloaded. */
  reload(): void
  /** All missed events have been applied. */
  caughtUp(): void
}

let channel: Channel | undefined
const connection = createStore<Connection>('connecting')

/** Sends an event about this account. While disconnected it is buffered for a moment. */
export function sendToTeam(event: 'read' | 'typing', payload: object) {
  channel?.push(event, payload)
}

let viewing: string | null = null

/** Tells the team which conversation is on screen here, and again after each reconnection. */
export function sendViewing(conversation_id: string | null) {
  if (viewing === conversation_id) return
  viewing = conversation_id
  channel?.push('viewing', { conversation_id })
}

/** The state of the connection: whether the screen is up to date. */
export function useConnection(): Connection {
  return useStore(connection, (state) => state)
}

/**
 * Opens the tab's main socket and keeps it open. Resolves once the event cursor is known, so that loading may begin;
 * later events go to the handlers. Returns a function that closes it.
 */
export async function connectLive(account_id: string, handlers: Handlers): Promise<() => void> {
  const loading = loadSocket()
  const sync = createSync(handlers)
  await sync.start()
  let isClosed = false
  let close: (() => void) | undefined
  // The screen need not wait for it: events since the cursor are fetched after the first connection, too.
  void loading.then((socket) => {
    if (!isClosed) close = connect(socket, account_id, sync, handlers)
  })
  return () => {
    isClosed = true
    close?.()
    connection.set('connecting')
  }
}

const LOAD_RETRY_MS = 3_000

/** A socket, not yet connected. The library is loaded beside the first screen, again and again without a network. */
async function loadSocket(): Promise<Socket> {
  for (;;) {
    try {
      const { Socket } = await import('phoenix')
      return new Socket('/socket', SOCKET_OPTIONS)
    } catch (error) {
      logError('Socket not loaded', error)
      await new Promise((resolve) => setTimeout(resolve, LOAD_RETRY_MS))
    }
  }
}

function connect(socket: Socket, account_id: string, sync: Sync, handlers: Handlers): () => void {
  const joined = socket.channel(`notification:${account_id}`, {})
  channel = joined
  listen(joined, sync, handlers)
  // The callback runs again after every reconnection.
  joined.join().receive('ok', () => {
    if (viewing) joined.push('viewing', { conversation_id: viewing })
    joined.push('present', {})
    void sync.resume()
  })
  joined.onError(sync.fallBehind)
  socket.onClose(sync.fallBehind)
  socket.onError(recoverSocket())
  socket.onOpen(() => dismissKey('socket'))
  socket.connect()

  // The browser notices a lost network long before a heartbeat is missed.
  const reconnect = () => socket.disconnect(() => socket.connect())
  window.addEventListener('online', reconnect)
  window.addEventListener('offline', sync.fallBehind)
  const stopReporting = reportUse(() => joined.push('present', {}))
  return () => {
    stopReporting()
    window.removeEventListener('online', reconnect)
    window.removeEventListener('offline', sync.fallBehind)
    sync.fallBehind()
    joined.leave()
    socket.disconnect()
    channel = undefined
    setPresence({})
  }
}

type Sync = ReturnType<typeof createSync>

/** Tracks whether events are missed, being fetched, or live. */
function createSync(handlers: Handlers) {
  const apply = (events: ClientEvent[]) => {
    for (const event of events) remember(event)
    handlers.apply(events)
  }
  const fetchPage = (after: string | undefined) => call(missedEvents, { query: { after } })
  const catchUp = createCatchUp({ fetchPage, apply, reload: handlers.reload })
  /** Grows with each connection and disconnection, so that an outdated catch-up stops. */
  let turn = 0

  return {
    applyLive(events: ClientEvent[]) {
      catchUp.arrive(events)
      apply(events)
    },
    moveTo: catchUp.moveTo,
    start: () => catchUp.start().catch((error) => logError('Cursor not taken', error)),

    fallBehind() {
      turn++
      catchUp.fallBehind()
      connection.set('offline')
    },

    async resume() {
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

function listen(from: Channel, { applyLive, moveTo }: Sync, { applyPresence }: Handlers) {
  // Each event of the contract, so that a new one is received without being listed here.
  from.onMessage = (event, payload: unknown) => {
    if (NAME_OF_EVENT.test(event)) applyLive([{ event, payload } as ClientEvent])
    return payload
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
 * A refused socket may mean an expired token. Any call detects and renews it, and the next connection uses the new one.
 * Renewing unconditionally would use up the renew token at each server restart, and lose the session if the response is
 * lost.
 */
function recoverSocket(): () => void {
  let renewedAt = 0
  let noticedAt = 0
  return () => {
    const now = Date.now()
    console.error('Error connecting to socket')
    if (readTokens() && now - renewedAt > RENEW_THROTTLE_MS) {
      renewedAt = now
      call(authSessions.me, {}).catch((error) => logError('Session not renewed', error))
    }
    if (now - noticedAt < NOTICE_THROTTLE_MS) return
    noticedAt = now
    setTimeout(notifyIfStillDisconnected, NOTICE_AFTER_MS)
  }
}

function notifyIfStillDisconnected() {
  if (['live', 'catching-up'].includes(connection.get()) || !channel) return
  // Loading the page again would lose what can still be read.
  if (!navigator.onLine) return
  notify({ kind: 'error', title: 'Error connecting to socket. Try refreshing the page.', key: 'socket' })
}
