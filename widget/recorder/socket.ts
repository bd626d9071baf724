// A minimal Phoenix Channels client for the recorder: one topic, presence, and payloads that are already JSON.

const BEAT_MS = 30_000
const MAX_WAIT_MS = 30_000

interface Handlers {
  joined(): void
  /** How many people watch, and whether somebody new has joined. */
  watched(watchers: number, isNew: boolean): void
  /** The server no longer knows the session. */
  lost(): void
}

type Metas = Record<string, { metas: { phx_ref: string; admin?: boolean }[] }>

/** Keeps one topic joined until it is closed. */
export function openSocket(address: string, topic: string, payload: object, { joined, watched, lost }: Handlers) {
  let socket: WebSocket
  let refs = 0
  let failures = 0
  let joinRef = ''
  let isJoined = false
  let isClosed = false
  let isAlive = true
  let retry: ReturnType<typeof setTimeout> | undefined
  const refusals = new Map<string, (seconds: number) => void>()
  let watchers = new Set<string>()

  const refsOf = (state: Metas) =>
    Object.values(state).flatMap(({ metas }) => metas.flatMap(({ admin, phx_ref }) => (admin ? phx_ref : [])))

  function setWatchers(next: Set<string>) {
    const isNew = [...next].some((ref) => !watchers.has(ref))
    const isOther = isNew || next.size !== watchers.size
    watchers = next
    if (isOther) watched(next.size, isNew)
  }

  function send(event: string, json: string, name = topic, ref = `${++refs}`) {
    if (socket.readyState === 1)
      socket.send(`[${JSON.stringify(joinRef)},"${ref}",${JSON.stringify(name)},"${event}",${json}]`)
    return ref
  }

  function receive([join, ref, , event, message]: [string | null, string, string, string, never]) {
    isAlive = true
    if (join && join !== joinRef) return
    if (event === 'phx_reply') {
      const { status, response } = message as { status: string; response: { retry_after?: number } }
      const isOk = status === 'ok'
      if (ref === joinRef) {
        isJoined = isOk
        failures = isOk ? 0 : failures
        if (isOk) joined()
        else lost()
      } else if (!isOk) refusals.get(ref)?.(response.retry_after ?? 1)
      refusals.delete(ref)
    } else if (event === 'presence_state') setWatchers(new Set(refsOf(message)))
    else if (event === 'presence_diff') {
      const { joins, leaves } = message as { joins: Metas; leaves: Metas }
      const next = new Set([...watchers, ...refsOf(joins)])
      for (const leftRef of refsOf(leaves)) next.delete(leftRef)
      setWatchers(next)
    } else if (/^phx_(error|close)/.test(event)) socket.close()
  }

  function connect() {
    isAlive = true
    socket = new WebSocket(`${address.replace(/^http/, 'ws')}/socket/websocket?vsn=2.0.0`)
    const mine = socket
    socket.onopen = () => {
      joinRef = `${++refs}`
      send('phx_join', JSON.stringify(payload), topic, joinRef)
    }
    socket.onmessage = ({ data }) => receive(JSON.parse(data))
    socket.onclose = () => {
      if (mine !== socket) return
      isJoined = false
      refusals.clear()
      setWatchers(new Set())
      if (!isClosed) retry = setTimeout(connect, Math.min(MAX_WAIT_MS, 500 * 2 ** failures++) * (0.5 + Math.random()))
    }
  }
  const beat = setInterval(() => {
    if (!isAlive) socket.close()
    isAlive = false
    send('heartbeat', '{}', 'phoenix')
  }, BEAT_MS)
  connect()

  return {
    waiting: () => socket.bufferedAmount,
    /** Dropped while not joined. */
    push(event: string, json: string, refused?: (seconds: number) => void) {
      if (!isJoined) return
      const ref = send(event, json)
      if (refused) refusals.set(ref, refused)
    },
    close() {
      isClosed = true
      clearInterval(beat)
      clearTimeout(retry)
      socket.close()
    },
  }
}
