import { type Channel, Presence, type Socket } from 'phoenix'
import { useEffect, useState } from 'react'
import { openSideSocket } from '../../platform/realtime/side-socket.ts'

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
    const socket = openSideSocket()
    joinLiveList(socket, account_id, setSessions, updated)
    return () => socket.disconnect()
  }, [account_id, updated])
  return sessions
}
