import { setTimeout as sleep } from 'node:timers/promises'
import { Socket } from 'phoenix'
import { WebSocket } from 'ws'
import type { ClientEvent } from '#contract/events.ts'
import { createCatchUp, type EventPage } from '../../dashboard/platform/realtime/catch-up.ts'
import { callUntilAnswered } from './clients.ts'

const TIMEOUT_MS = 15_000

/** A dashboard without a screen: a team socket that reconnects and catches up as the real one does. */
export function startListener(url: string, { token, account_id }: { token: string; account_id: string }) {
  const received = new Set<string>()
  const apply = (events: ClientEvent[]) => {
    for (const clientEvent of events) if (clientEvent.event === 'shout') received.add(clientEvent.payload.id)
  }
  const catchUp = createCatchUp({
    fetchPage: async (after) => {
      const path = `/api/events?limit=500${after === undefined ? '' : `&after=${after}`}`
      const { status, body } = await callUntilAnswered(url, 'GET', path, undefined, token)
      if (status !== 200) throw new Error(`The log answered ${status}.`)
      return body as EventPage
    },
    apply,
    reload: () => {
      throw new Error('A listener that was away for moments is never asked to load afresh.')
    },
  })
  const socket = new Socket(`${url.replace('http', 'ws')}/socket`, {
    params: { token },
    transport: WebSocket,
    reconnectAfterMs: () => 50,
    rejoinAfterMs: () => 50,
  })
  const channel = socket.channel(`notification:${account_id}`)
  const counts = { live: 0, comebacks: 0 }
  channel.on('shout', (payload: unknown) => {
    counts.live++
    apply([{ event: 'shout', payload } as ClientEvent])
  })
  channel.on('cursor', ({ cursor }: { cursor: string }) => catchUp.moveTo(cursor))
  channel.onError(catchUp.fallBehind)
  socket.onClose(catchUp.fallBehind)
  let running: Promise<void> = Promise.resolve()
  const comeBack = () => {
    counts.comebacks++
    running = running.then(catchUp.run)
  }

  return {
    counts,
    /** From here on it must miss nothing. */
    async start() {
      await catchUp.start()
      socket.connect()
      channel.join().receive('ok', comeBack)
    },
    /** Waits for messages still on their way, then returns those of `ids` that never arrived. */
    async findMissed(ids: string[]): Promise<string[]> {
      const missed = () => ids.filter((id) => !received.has(id))
      for (const deadline = Date.now() + TIMEOUT_MS; missed().length > 0 && Date.now() < deadline; ) await sleep(100)
      await running
      return missed()
    },
    stop: () => socket.disconnect(),
  }
}
