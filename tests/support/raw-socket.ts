import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'

export type RawFrame = [unknown, unknown, string, string, Record<string, unknown>]

export interface RawSocket {
  ws: WebSocket
  /** All received frames, in order. */
  frames: RawFrame[]
  send(frame: unknown): void
  sendText(text: string): void
  /** The first matching frame, including those already received. */
  waitFor(isMeant: (frame: RawFrame) => boolean): Promise<RawFrame>
  replyTo(ref: unknown): Promise<{ status: string; response: Record<string, unknown> }>
  closed: Promise<{ code: number; reason: string }>
}

/** A socket that sends and receives frames in their wire form. */
export async function openRaw(url: string, query = 'vsn=2.0.0'): Promise<RawSocket> {
  const ws = new WebSocket(`${url}/websocket?${query}`)
  const frames: RawFrame[] = []
  ws.on('message', (data) => frames.push(JSON.parse(data.toString())))
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject))
  ws.on('error', () => undefined)

  async function waitFor(isMeant: (frame: RawFrame) => boolean): Promise<RawFrame> {
    for (let waited = 0; waited < 5_000; waited += 5) {
      const frame = frames.find(isMeant)
      if (frame) return frame
      await sleep(5)
    }
    throw new Error(`The awaited frame did not come. There were: ${JSON.stringify(frames)}`)
  }

  async function replyTo(ref: unknown) {
    const [, , , , reply] = await waitFor((frame) => frame[3] === 'phx_reply' && frame[1] === ref)
    return reply as { status: string; response: Record<string, unknown> }
  }

  const sendText = (text: string) => ws.send(text)
  return { ws, frames, send: (frame) => sendText(JSON.stringify(frame)), sendText, waitFor, replyTo, closed }
}
