import { isIPv6 } from 'node:net'
import { WebSocket } from 'ws'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { saveCursor } from '../../features/authorizations/connect.ts'
import { Later, Reconnect } from '../../integration.ts'
import type { Line } from '../../platform/outbound/lines.ts'
import { accessOf, type Mattermost } from './authorization.ts'
import { ask } from './client.ts'
import { Post, readPosts, takePost } from './events.ts'

const Frame = z.object({
  event: z.optional(z.string()),
  data: z.optional(z.nullable(z.object({ post: z.optional(z.string()) }))),
  status: z.optional(z.string()),
  seq_reply: z.optional(z.number()),
})

const LET_IN_MS = 20_000
/** A server that says nothing for so long is asked whether it is there. */
const ASKED_MS = 30_000
const LARGEST_FRAME = 2_000_000
/** Events may be told a little late; what is told twice is stored once. */
const OVERLAP_MS = 120_000

/** Opens the live connection of a bot, and takes in what was written since it was last open. */
export async function connect(context: Context, mattermost: Mattermost, signal: AbortSignal): Promise<Line> {
  const socket = await openSocket(context, mattermost)
  const closed = Promise.withResolvers<void>()
  let isAlive = true
  const watch = setInterval(() => {
    if (!isAlive) socket.terminate()
    isAlive = false
    socket.ping()
  }, ASKED_MS).unref()
  // What was missed is taken in first: then it is in its order.
  const caughtUp = Promise.withResolvers<void>()
  let working = caughtUp.promise
  socket.on('pong', () => {
    isAlive = true
  })
  socket.on('message', (bytes) => {
    isAlive = true
    const post = readPost(String(bytes))
    // What cannot be stored is caught up over the next line.
    if (post) working = working.then(() => takePost(context, mattermost, post)).catch(() => socket.terminate())
  })
  socket.on('close', () => {
    clearInterval(watch)
    closed.resolve()
  })
  const close = async () => socket.close()
  signal.addEventListener('abort', () => void close(), { once: true })
  try {
    await catchUp(context, mattermost)
    caughtUp.resolve()
  } catch (error) {
    socket.terminate()
    throw error
  }
  return { closed: closed.promise, close }
}

/** Its name was looked up by us, so that no private address is reached by it. */
async function openSocket({ outbound }: Context, mattermost: Mattermost): Promise<WebSocket> {
  const { url, access_token } = accessOf(mattermost)
  const target = new URL(`${url}/api/v4/websocket`)
  const address = await outbound.resolve(target.hostname)
  const family = isIPv6(address) ? 6 : 4
  target.protocol = target.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(target, {
    maxPayload: LARGEST_FRAME,
    handshakeTimeout: LET_IN_MS,
    lookup: (_host, options, done) => (options.all ? done(null, [{ address, family }]) : done(null, address, family)),
  })
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => socket.terminate(), LET_IN_MS).unref()
    const listen = (bytes: unknown) => {
      const frame = readFrame(String(bytes))
      if (frame?.seq_reply !== 1) return
      clearTimeout(late)
      socket.off('message', listen)
      if (frame.status === 'OK') return resolve(socket)
      socket.terminate()
      reject(new Reconnect('Mattermost no longer accepts the token of the bot. Make a new one and connect it again.'))
    }
    socket.on('message', listen)
    socket.on('open', () => {
      socket.send(JSON.stringify({ seq: 1, action: 'authentication_challenge', data: { token: access_token } }))
    })
    socket.on('error', () => reject(new Later(`${target.host} cannot be reached by a live connection.`)))
    socket.on('close', () => reject(new Later(`${target.host} closed the live connection.`)))
  })
}

function readFrame(text: string) {
  try {
    const read = z.safeParse(Frame, JSON.parse(text))
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}

const TOLD = ['posted', 'post_edited', 'post_deleted']

/** The post of an event stands in it as text. */
function readPost(text: string): Post | undefined {
  const frame = readFrame(text)
  if (!frame?.event || !TOLD.includes(frame.event) || !frame.data?.post) return undefined
  try {
    const post = z.safeParse(Post, JSON.parse(frame.data.post))
    if (!post.success) return undefined
    const isGone = frame.event === 'post_deleted' && !post.data.delete_at
    return isGone ? { ...post.data, delete_at: Date.now() } : post.data
  } catch {
    return undefined
  }
}

async function catchUp(context: Context, mattermost: Mattermost): Promise<void> {
  const now = Date.now()
  const since = Number((mattermost.cursor as { since?: number } | null)?.since ?? now) - OVERLAP_MS
  const { channel_id } = mattermost.settings
  const path = `/channels/${encodeURIComponent(channel_id)}/posts?since=${since}`
  for (const post of readPosts(await ask(context, accessOf(mattermost), { path }))) {
    // Posts of before come along when something else about them has changed.
    const { create_at, edit_at = 0, delete_at = 0 } = post
    if (Math.max(create_at, edit_at, delete_at) >= since) await takePost(context, mattermost, post)
  }
  await context.change((open) => saveCursor(open, mattermost.account_id, mattermost.id, { since: now }))
}
