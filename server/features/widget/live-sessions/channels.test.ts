import { randomBytes, randomUUID } from 'node:crypto'
import { Presence } from 'phoenix'
import phoenix15 from 'phoenix-1.5'
import { afterEach } from 'vitest'
import { WebSocket } from 'ws'
import { accounts } from '#contract/accounts/accounts.ts'
import { audit } from '#contract/accounts/audit.ts'
import { team } from '#contract/accounts/team.ts'
import { browserSessions } from '#contract/widget/live-sessions.ts'
import { type Callers, expect, test } from '#tests/support/fixture.ts'
import type { TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import type { World } from '#tests/support/world.ts'
import { topicKey } from '../../../platform/realtime/topic-key.ts'
import { finishAbandonedSessions } from './finishing.ts'
import { presenceKey, topics } from './topics.ts'

const TIMEOUT = { timeout: 20_000, interval: 20 }
const open: { close(): void }[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})

function connect(server: TestServer, params: Record<string, string> = {}) {
  const socket = new TestSocket(server.url, params)
  open.push(socket)
  return socket
}

async function begin(as: Callers, account_id: string, token?: string) {
  const metadata = { pathname: '/pricing' }
  const { data } = await as.anybody(browserSessions.create, {
    body: { browser_session: { account_id, token, metadata } },
  })
  return { id: data.id, recorder: `events:${account_id}:${data.id}`, watchers: `events:admin:${account_id}:${data.id}` }
}

/** Papercups' recorder on its socket, with the library bundled in it. */
function startOldRecorder(server: TestServer, topic: string) {
  const Transport = WebSocket as unknown as new (address: string) => object
  const socket = new phoenix15.Socket(`${server.url.replace('http', 'ws')}/socket`, { transport: Transport })
  open.push({ close: () => socket.disconnect() })
  socket.connect()
  const channel = socket.channel(topic, { customerId: randomUUID() })
  const recorder = { sent: 0, isRecording: false, starts: 0, send, channel }
  function send(event: object) {
    channel.push('replay:event:emitted', { event, customer_id: null })
  }
  channel.join().receive('ok', () => {
    const presence = new phoenix15.Presence(channel)
    presence.onSync(() => {
      const metas = presence
        .list()
        .flatMap((entry: { metas: { admin?: boolean; session_id?: string }[] }) => entry.metas)
      recorder.isRecording = metas.some(({ admin, session_id }) => admin && !!session_id)
      if (!recorder.isRecording) return
      recorder.starts++
      send({ type: 4, data: { href: 'https://shop.test/', width: 800, height: 600 }, timestamp: 1 })
      send({ type: 2, data: { node: { type: 0, childNodes: [], id: 1 } }, timestamp: 2, delay: 0 })
    })
    channel.push('session:active', { ts: Date.now() })
  })
  return recorder
}

const watch = (server: TestServer, world: World, topic: string, token = world.ada.token) =>
  connect(server, { token }).join(topic, { takes_batches: true })

test('Papercups’ recorder records while an admin watches, and its events arrive one by one as they were', async ({
  as,
  server,
  world,
}) => {
  const session = await begin(as, world.acme.id)
  const recorder = startOldRecorder(server, session.recorder)
  const list = await watch(server, world, `events:admin:${world.acme.id}:all`)
  const state = await list
    .receive('presence_state', (state) => !!state[`session:${session.id}`])
    .catch(async () => {
      const { joins } = await list.receive('presence_diff', ({ joins }) => !!joins[`session:${session.id}`])
      return joins
    })
  const [meta] = state[`session:${session.id}`].metas
  expect(meta).toMatchObject({ account_id: world.acme.id, session_id: session.id, active: true, pathname: '/pricing' })
  expect(meta).toMatchObject({ online_at: expect.stringMatching(/^\d+$/), ts: expect.any(String) })
  expect(recorder.isRecording).toBe(false)

  const socket = connect(server, { token: world.ada.token })
  const ada = await socket.join(session.watchers)
  const snapshot = await ada.receive('replay:event:emitted', ({ event }) => event.type === 2)
  expect(snapshot).toEqual({
    event: { type: 2, data: { node: { type: 0, childNodes: [], id: 1 } }, timestamp: 2, delay: 0 },
    customer_id: null,
  })
  recorder.channel.push('session:inactive', { ts: Date.now() })
  await list.receive('presence_diff', ({ joins }) => joins[`session:${session.id}`]?.metas[0].active === false)
  socket.close()
  await expect.poll(() => recorder.isRecording, TIMEOUT).toBe(false)
})

test('events sent while nobody watches reach nobody, not even later watchers', async ({ as, server, world }) => {
  const session = await begin(as, world.acme.id)
  const recorder = await connect(server).join(session.recorder)
  await recorder.push('replay:event:emitted', { event: { type: 3, data: { secret: 'early' } } })
  const ada = await watch(server, world, session.watchers)
  await recorder.receive('presence_diff', ({ joins }) => joins[`session:${session.id}`]?.metas[0].admin === true)
  await recorder.push('replay:events', { events: [{ type: 4 }, { type: 2 }] })
  expect(await ada.receive('replay:events')).toEqual({ events: [{ type: 4 }, { type: 2 }] })
  expect(ada.received.filter(({ event }) => event.startsWith('replay'))).toHaveLength(1)
})

test('a viewer of Papercups hears batches as single events, which a viewer of ours can tell apart', async ({
  as,
  server,
  world,
}) => {
  const session = await begin(as, world.acme.id)
  const recorder = await connect(server).join(session.recorder)
  const ours = await watch(server, world, session.watchers)
  const old = await connect(server, { token: world.ada.token }).join(session.watchers)
  const isWatchedByBoth = async () => {
    const state = await server.context.realtime.presence.list(topicKey(world.acme.id, session.recorder))
    return state[`session:${session.id}`]?.metas.length === 2
  }
  await expect.poll(isWatchedByBoth, TIMEOUT).toBe(true)
  await recorder.push('replay:events', { is_past: true, events: [{ type: 3, data: { past: true } }] })
  await recorder.push('replay:events', { events: [{ type: 4 }, { type: 2 }] })
  await old.receive('replay:event:emitted', ({ event }) => event.type === 2)
  const single = old.received
    .filter(({ event }) => event === 'replay:event:emitted')
    .map(({ payload }) => payload.event)
  expect(single).toEqual([{ type: 4 }, { type: 2 }])
  await ours.receive('replay:events', ({ is_past }) => !is_past)
  const uncopied = ours.received.filter(({ event, payload }) => event === 'replay:event:emitted' && !payload.is_copy)
  expect(uncopied).toEqual([])
})

test('a recorder that reconnects while somebody watches is notified at once', async ({ as, server, world }) => {
  const session = await begin(as, world.acme.id)
  await watch(server, world, session.watchers)
  const recorder = await connect(server).join(session.recorder)
  const state = await recorder.receive('presence_state')
  expect(state[`session:${session.id}`].metas).toMatchObject([{ admin: true, session_id: session.id }])
})

test('three watchers of one tab all receive its events, and the recorder learns when the last has left', async ({
  as,
  server,
  world,
}) => {
  const session = await begin(as, world.acme.id)
  const channel = connect(server).socket.channel(session.recorder, {})
  const presence = new Presence(channel)
  channel.join()
  const watchers = [1, 2, 3].map(() => connect(server, { token: world.ada.token }))
  const joined = await Promise.all(watchers.map((socket) => socket.join(session.watchers)))
  const count = () => presence.list().flatMap(({ metas }: { metas: object[] }) => metas).length
  await expect.poll(count, TIMEOUT).toBe(3)
  channel.push('replay:events', { events: [{ type: 2 }] })
  for (const joinedTopic of joined)
    expect(await joinedTopic.receive('replay:events')).toEqual({ events: [{ type: 2 }] })
  for (const socket of watchers) socket.close()
  await expect.poll(count, TIMEOUT).toBe(0)
})

test('watching is recorded in the audit trail, once an hour', async ({ as, server, world }) => {
  const session = await begin(as, world.acme.id)
  const noted = async () => {
    const { data } = await as.ada(audit.list, { query: { action: 'session.watched' } })
    return data.filter(({ subject_id }) => subject_id === session.id)
  }
  for (let times = 0; times < 2; times++) {
    await watch(server, world, session.watchers)
    await expect.poll(async () => (await noted()).length, TIMEOUT).toBe(1)
  }
  expect(await noted()).toMatchObject([
    { user_id: world.ada.id, subject_name: expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+$/) },
  ])
})

test('nobody joins the recorder’s topic of a session with a token, or of another account', async ({
  as,
  server,
  world,
}) => {
  const token = randomBytes(32).toString('base64url')
  const session = await begin(as, world.acme.id, token)
  const refused = (topic: string, payload: object) =>
    expect(connect(server).join(topic, payload)).rejects.toThrow('unauthorized')
  await refused(session.recorder, {})
  await refused(session.recorder, { token: randomBytes(32).toString('base64url') })
  await refused(`events:${world.other.id}:${session.id}`, { token })
  await refused(`events:${world.acme.id}:${randomUUID()}`, {})
  await refused(`events:${world.acme.id}:not-an-id`, {})
  await connect(server).join(session.recorder, { token })
})

test('a member watches when the account allows it, and no longer once it does not', async ({ as, server, world }) => {
  const session = await begin(as, world.acme.id)
  const list = `events:admin:${world.acme.id}:all`
  const ben = connect(server, { token: world.ben.token })
  await expect(ben.join(list)).rejects.toThrow('unauthorized')
  await expect(ben.join(session.watchers)).rejects.toThrow('unauthorized')
  const { settings } = (await as.ada(accounts.mine)).data
  const allow = (members_watch_sessions: boolean) =>
    as.ada(accounts.update, { body: { account: { settings: { ...settings, members_watch_sessions } } } })
  await allow(true)
  const joined = await ben.join(session.watchers)
  const ended = new Promise((resolve) => joined.channel.onClose(resolve))
  await allow(false)
  await ended
})

test('a former admin can no longer watch', async ({ as, server, world }) => {
  const session = await begin(as, world.acme.id)
  const role = (role: string) => as.ada(team.setRole, { params: { id: world.ben.id }, body: { role } })
  await role('admin')
  const socket = connect(server, { token: world.ben.token })
  await socket.join(session.watchers)
  await role('user')
  await expect.poll(() => socket.frames.join(), TIMEOUT).toContain('{"reason":"unauthorized"}')
})

test('a page of several megabytes reaches its watchers; on other topics it closes the socket', async ({
  as,
  server,
  world,
}) => {
  const session = await begin(as, world.acme.id)
  const socket = connect(server)
  const recorder = await socket.join(session.recorder)
  const ada = await watch(server, world, session.watchers)
  await recorder.receive('presence_diff')
  const text = 'x'.repeat(7_000_000)
  await recorder.push('replay:events', { events: [{ type: 2, data: text }] })
  const { events } = await ada.receive('replay:events')
  expect(events[0].data.length).toBe(text.length)
  const closed = new Promise((resolve) => socket.socket.onClose(resolve))
  socket.socket.push({
    topic: `room:${world.acme.id}`,
    event: 'phx_join',
    payload: { text },
    ref: '9',
    join_ref: '9',
  } as never)
  await closed
})

test('a session whose tab disappeared ends after a minute, and continues when the tab returns', async ({
  as,
  server,
  world,
}) => {
  const session = await begin(as, world.acme.id)
  const finished = async () => (await as.ada(browserSessions.get, { params: session })).data.finished_at
  const finishAfter = (minutes: number) =>
    finishAbandonedSessions(server.context, new Date(Date.now() + minutes * 60_000))
  const socket = connect(server)
  await socket.join(session.recorder)
  await finishAfter(0)
  await finishAfter(2)
  expect(await finished()).toBeNull()
  // The beacon about leaving a page may arrive after the next page has started.
  await as.anybody(browserSessions.finish, { params: session, body: {} })
  await finishAfter(0)
  expect(await finished()).toBeNull()
  socket.close()
  const key = topicKey(world.acme.id, topics.all(world.acme.id))
  await expect
    .poll(() => server.context.realtime.presence.list(key), TIMEOUT)
    .not.toHaveProperty(presenceKey(session.id))
  await finishAfter(3)
  expect(await finished()).toBeNull()
  await finishAfter(4)
  expect(await finished()).toEqual(expect.any(String))
  await connect(server).join(session.recorder)
  await expect.poll(finished, TIMEOUT).toBeNull()
})
