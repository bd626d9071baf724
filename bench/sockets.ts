import { WebSocket } from 'ws'

/** A minimal client that joins topics and listens: thousands of them fit in a process. */
export function listen(
  url: string,
  params: string,
  topics: string[],
  payload: object,
  receive: (frame: string) => void,
): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket/websocket?vsn=2.0.0${params}`, {
      perMessageDeflate: false,
    })
    let awaited = topics.length
    socket.on('open', () => {
      for (const [i, topic] of topics.entries())
        socket.send(JSON.stringify([`${i}`, `${i}`, topic, 'phx_join', payload]))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The connection was closed.')))
    socket.on('message', (data) => {
      const frame = String(data)
      if (awaited === 0 || !frame.includes('"phx_reply"')) return receive(frame)
      if (!frame.includes('"status":"ok"')) return reject(new Error(frame))
      if (--awaited === 0) resolve(socket)
    })
  })
}

const BEAT_MS = 25_000
const BEAT_STEP_MS = 100

/** Opens this many, a hundred at a time, and keeps them alive. As with real clients, their heartbeats are spread. */
export async function openMany(count: number, open: (i: number) => Promise<WebSocket>) {
  const sockets: WebSocket[] = []
  for (let start = 0; start < count; start += 100) {
    const batch = Array.from({ length: Math.min(100, count - start) }, (_, i) => open(start + i))
    sockets.push(...(await Promise.all(batch)))
  }
  const steps = BEAT_MS / BEAT_STEP_MS
  let step = 0
  const beat = setInterval(() => {
    for (let i = step++ % steps; i < count; i += steps) sockets[i]!.send('[null,"9","phoenix","heartbeat",{}]')
  }, BEAT_STEP_MS)
  return {
    sockets,
    close() {
      clearInterval(beat)
      for (const socket of sockets) socket.terminate()
    },
  }
}
