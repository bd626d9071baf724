import type { Channel } from 'phoenix'
import { useCallback, useEffect, useRef, useState } from 'react'
import { joinLiveList, type LiveSession } from '../../features/widget/live-sessions/live-list.ts'
import { openSideSocket } from '../../platform/realtime/side-socket.ts'
import type { ReplayEvent } from '../../replay-box/protocol.ts'

/** The presence of a watched tab: null while its recorder is not connected, undefined while loading. */
export type Presence = Pick<LiveSession, 'active' | 'pathname'> | null | undefined

/** Receive the events of the tab. */
interface Handlers {
  show(events: ReplayEvent[]): void
  /** Receives parts of the last minute before somebody started to watch. */
  addPast(events: ReplayEvent[]): void
}

/** Watches a tab while mounted. `restart` requests a new full snapshot. */
export function useWatch(account_id: string, session_id: string, handlers: Handlers) {
  const [presence, setPresence] = useState<Presence>()
  const latest = useRef(handlers)
  const again = useRef<() => void>(() => undefined)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    const socket = openSideSocket()
    let watched: Channel | undefined
    const find = (sessions: LiveSession[]) =>
      setPresence(sessions.find((session) => session.session_id === session_id) ?? null)
    joinLiveList(socket, account_id, find, () => undefined)
    function watch() {
      watched?.leave()
      watched = socket.channel(`events:admin:${account_id}:${session_id}`, { takes_batches: true })
      // Recorders of Papercups send single events, and none of the past. Copies are for viewers of Papercups.
      watched.on('replay:event:emitted', ({ event, is_copy }: { event: ReplayEvent; is_copy?: boolean }) => {
        if (!is_copy) latest.current.show([event])
      })
      watched.on('replay:events', ({ events, is_past }: { events: ReplayEvent[]; is_past?: boolean }) =>
        is_past ? latest.current.addPast(events) : latest.current.show(events),
      )
      watched.join()
    }
    watch()
    again.current = watch
    return () => socket.disconnect()
  }, [account_id, session_id])
  // Joining again makes the recorder send a full snapshot.
  const restart = useCallback(() => again.current(), [])
  return { presence, restart }
}
