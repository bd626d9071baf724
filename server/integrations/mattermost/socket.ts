import { isIPv6 } from 'node:net'
import { WebSocket } from 'ws'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { saveCursor } from '../../features/connections/authorizations/connect.ts'
import { ConnectionRevoked, RetryLater } from '../../integration.ts'
import { parseForeignJson } from '../../platform/json.ts'
import type { LiveConnection } from '../../platform/outbound/live-connections.ts'
import { accessOf, type Mattermost } from './authorization.ts'
import { requestMattermost } from './client.ts'
import { Post, readPosts, storePost } from './events.ts'

const Frame = z.object({
  event: z.optional(z.string()),
  data: z.optional(z.nullable(z.object({ post: z.optional(z.string()) }))),
  status: z.optional(z.string()),
  seq_reply: z.optional(z.number()),
})

const LARGEST_FRAME = 2_000_000
/** Events may be late; repeated ones are stored once. */
const OVERLAP_MS = 120_000
/** Mattermost lists at most this many changes since a time, the latest ones. Older ones are read page by page. */
const NAMED_AT_ONCE = 1_000
const PAGE_SIZE = 200
/**
 * With the first response 11,000 posts, more than a channel of people gets in the days before a connection is given up.
 */
const MAX_PAGES = 50

/** Opens a bot's live connection, and imports posts since it was last open. */
export async function connect(context: Context, mattermost: Mattermost, signal: AbortSignal): Promise<LiveConnection> {
  const socket = await openSocket(context, mattermost)
  const closed = Promise.withResolvers<void>()
  closed.promise.catch(() => undefined)
  let isAlive = true
  let reason = 'Mattermost closed the live connection.'
  const watch = setInterval(() => {
    if (isAlive) return askForLife()
    reason = 'Mattermost did not answer over the live connection any more.'
    socket.terminate()
  }, context.timing.ping).unref()
  const askForLife = () => {
    isAlive = false
    socket.ping()
  }
  // Missed posts are imported first, to keep the order.
  const caughtUp = Promise.withResolvers<void>()
  let working = caughtUp.promise
  socket.on('pong', () => {
    isAlive = true
  })
  socket.on('message', (bytes) => {
    isAlive = true
    const post = readPost(String(bytes))
    // Posts that cannot be stored are fetched again over the next connection.
    if (post) working = working.then(() => storePost(context, mattermost, post)).catch(() => socket.terminate())
  })
  socket.on('close', () => {
    clearInterval(watch)
    closed.reject(new RetryLater(reason))
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

/** The host was resolved by us, so that it cannot lead to a private address. */
async function openSocket({ outbound, timing }: Context, mattermost: Mattermost): Promise<WebSocket> {
  const { url, access_token } = accessOf(mattermost)
  const target = new URL(`${url}/api/v4/websocket`)
  const address = await outbound.resolve(target.hostname)
  const family = isIPv6(address) ? 6 : 4
  target.protocol = target.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(target, {
    maxPayload: LARGEST_FRAME,
    handshakeTimeout: timing.greeting,
    lookup: (_host, options, done) => (options.all ? done(null, [{ address, family }]) : done(null, address, family)),
  })
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => socket.terminate(), timing.greeting).unref()
    const listen = (bytes: unknown) => {
      const frame = readFrame(String(bytes))
      if (frame?.seq_reply !== 1) return
      clearTimeout(late)
      socket.off('message', listen)
      if (frame.status === 'OK') return resolve(socket)
      socket.terminate()
      reject(
        new ConnectionRevoked('Mattermost no longer accepts the bot token. Create a new one and connect it again.'),
      )
    }
    socket.on('message', listen)
    socket.on('open', () => {
      socket.send(JSON.stringify({ seq: 1, action: 'authentication_challenge', data: { token: access_token } }))
    })
    socket.on('error', () => reject(new RetryLater(`${target.host} cannot be reached by a live connection.`)))
    socket.on('close', () => reject(new RetryLater(`${target.host} closed the live connection.`)))
  })
}

function readFrame(text: string) {
  return z.safeParse(Frame, parseForeignJson(text)).data
}

const TOLD = ['posted', 'post_edited', 'post_deleted']

/** An event contains its post as JSON text. */
function readPost(text: string): Post | undefined {
  const frame = readFrame(text)
  if (!frame?.event || !TOLD.includes(frame.event) || !frame.data?.post) return undefined
  const { data: post } = z.safeParse(Post, parseForeignJson(frame.data.post))
  const isDeleted = frame.event === 'post_deleted' && !post?.delete_at
  return post && isDeleted ? { ...post, delete_at: Date.now() } : post
}

async function catchUp(context: Context, mattermost: Mattermost): Promise<void> {
  const now = Date.now()
  const since = Number((mattermost.cursor as { since?: number } | null)?.since ?? now) - OVERLAP_MS
  for (const post of await readMissed(context, mattermost, since)) await storePost(context, mattermost, post)
  await context.change((tx) => saveCursor(tx, mattermost.account_id, mattermost.id, { since: now }))
}

/** Posts created, edited or deleted since a time, oldest first. */
async function readMissed(context: Context, mattermost: Mattermost, since: number): Promise<Post[]> {
  const path = `/channels/${encodeURIComponent(mattermost.settings.channel_id)}/posts`
  const read = async (query: string) =>
    readPosts(await requestMattermost(context, accessOf(mattermost), { path: `${path}?${query}` }))
  const missed = new Map<string, Post>()
  let posts = await read(`since=${since}`)
  let isCut = posts.length >= NAMED_AT_ONCE
  for (let page = 0; ; page++) {
    // Older posts are listed if something else about them has changed, and as the first posts of threads.
    const changed = posts.filter(
      ({ create_at, edit_at = 0, delete_at = 0 }) => Math.max(create_at, edit_at, delete_at) >= since,
    )
    for (const post of changed) missed.set(post.id, post)
    const oldest = changed.find(({ create_at }) => create_at >= since)
    if (!isCut || !oldest || page === MAX_PAGES) break
    posts = await read(`before=${oldest.id}&per_page=${PAGE_SIZE}`)
    isCut = posts.length >= PAGE_SIZE
  }
  return [...missed.values()].sort((a, b) => a.create_at - b.create_at)
}
