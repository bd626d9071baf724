import { type Channel, Presence, Socket } from 'phoenix'
import { useEffect, useState } from 'react'
import { authSessions } from '#contract/auth-sessions.ts'
import { call } from '../../platform/http/api.ts'
import { logError } from '../../platform/http/errors.ts'
import { readTokens } from '../../platform/session/session.ts'
import { storage } from '../../platform/storage.ts'

/** What a recorder tells of its tab. */
export interface LiveSession {
  session_id: string
  active: boolean
  /** When that was last told. */
  ts: string
  /** Since when it is connected, in seconds, as text. */
  online_at: string
  pathname?: string
}

const ASK_THROTTLE_MS = 10_000

/**
 * A socket of its own for as long as sessions are on screen: pages of megabytes travel on it, and no message of the inbox
 * has to wait behind them.
 */
export function openLiveSocket(): Socket {
  let askedAt = 0
  const socket = new Socket('/socket', {
    authToken: (() => readTokens()?.token ?? '') as unknown as string,
    sessionStorage: storage,
  })
  // A refused socket may mean a token that ran out: any call renews it.
  socket.onError(() => {
    if (Date.now() - askedAt < ASK_THROTTLE_MS) return
    askedAt = Date.now()
    call(authSessions.me, {}).catch((error) => logError('Session not renewed', error))
  })
  socket.connect()
  return socket
}

/** Calls back with every tab in which a recorder is connected, whenever that changes. */
export function joinLiveList(
  socket: Socket,
  account_id: string,
  changed: (sessions: LiveSession[]) => void,
  updated: () => void,
): Channel {
  const channel = socket.channel(`events:admin:${account_id}:all`, {})
  const presence = new Presence(channel)
  presence.onSync(() => changed(listSessions(presence)))
  channel.on('session:updated', updated)
  channel.join()
  return channel
}

function listSessions(presence: Presence): LiveSession[] {
  // A tab that has just come back may stand there twice; what was told last is true.
  const sessions = presence.list().map(({ metas }: { metas: LiveSession[] }) => metas.at(-1)!)
  return sessions.sort((one, other) => Number(other.online_at) - Number(one.online_at))
}

/** Every tab in which a recorder is connected, newest first; undefined until that is known. */
export function useLiveSessions(account_id: string, updated: () => void): LiveSession[] | undefined {
  const [sessions, setSessions] = useState<LiveSession[]>()
  useEffect(() => {
    const socket = openLiveSocket()
    joinLiveList(socket, account_id, setSessions, updated)
    return () => socket.disconnect()
  }, [account_id, updated])
  return sessions
}
