import { type Channel, Presence, type Socket } from 'phoenix'
import { useEffect, useState } from 'react'
import { openSideSocket } from '../../../platform/realtime/side-socket.ts'

/** The presence data of a recorder's tab. */
export interface LiveSession {
  session_id: string
  active: boolean
  /** When it was last updated. */
  ts: string
  /** When it connected, in epoch seconds as text. */
  online_at: string
  pathname?: string
}

/** Calls `changed` with all connected tabs whenever they change. */
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
  // A tab that has reconnected may appear twice; the last entry is current.
  const sessions = presence.list().map(({ metas }: { metas: LiveSession[] }) => metas.at(-1)!)
  return sessions.sort((a, b) => Number(b.online_at) - Number(a.online_at))
}

/** All connected tabs, newest first; undefined while loading. */
export function useLiveSessions(account_id: string, updated: () => void): LiveSession[] | undefined {
  const [sessions, setSessions] = useState<LiveSession[]>()
  useEffect(() => {
    const socket = openSideSocket()
    joinLiveList(socket, account_id, setSessions, updated)
    return () => socket.disconnect()
  }, [account_id, updated])
  return sessions
}
