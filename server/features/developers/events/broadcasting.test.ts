import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { startDatabaseProxy } from '#tests/support/database-proxy.ts'
import { KEY, startTestServer, type TestServer } from '#tests/support/server.ts'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { startBroadcasting } from './broadcasting.ts'

/** Two servers that share only a database: no bus connects them. */
let database: FreshDatabase
let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>
let server: TestServer
let world: World
let conversation_id: string
let open: TestSocket[] = []

beforeAll(async () => {
  database = await freshDatabase()
  proxy = await startDatabaseProxy(database.connection)
  server = await startTestServer({}, undefined, { ...database, connection: proxy.address, drop: async () => undefined })
  world = await createWorld(server)
  ;({ conversation_id } = await startConversation(server, world.carla))
})
afterEach(() => {
  for (const socket of open) socket.close()
  open = []
})
afterAll(async () => {
  await server.close()
  proxy.close()
  await database.drop()
})

async function listen(params: Record<string, string>, topic: string) {
  const socket = new TestSocket(server.url, params)
  open.push(socket)
  return socket.join(topic)
}
const listenAsTeam = () => listen({ token: world.ada.token }, `notification:${world.acme.id}`)
const listenAsCarla = () => listen({ visitor_token: world.carla.token }, `conversation:${conversation_id}`)

const INSERTED = 'insert into messages '

test('a message whose commit succeeded is received by both sides, even if the server never got the confirmation', async () => {
  const team = await listenAsTeam()
  const carla = await listenAsCarla()
  const message = { id: randomUUID(), conversation_id, body: 'Is it there?' }
  const struck = proxy.strike(INSERTED, 'cut')
  const { status } = await server.request('POST', '/api/messages', { token: world.carla.token, body: { message } })
  await struck
  expect(status).toBe(503)
  await team.receive('shout', ({ id }) => id === message.id)
  await carla.receive('shout', ({ id }) => id === message.id)
  const repeated = await server.request('POST', '/api/messages', { token: world.carla.token, body: { message } })
  expect(repeated.status).toBe(201)
})

test('a message committed by a server that died before broadcasting it is received by the sockets of another server', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-killed-'))
  const other = new ServerProcess(await freePort(), dataDir, {
    TEST_DATABASE: JSON.stringify(proxy.address),
    ...KEY,
  })
  const { url } = await other.start()
  const team = await listenAsTeam()
  const message = { id: randomUUID(), conversation_id, body: 'A last word' }
  const struck = proxy.strike(INSERTED, 'hold')
  const request = fetch(`${url}/api/messages`, {
    method: 'POST',
    headers: { authorization: world.carla.token, 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  })
  const failed = expect(request).rejects.toThrow()
  await struck
  await other.kill()
  await failed
  await team.receive('shout', ({ id }) => id === message.id)
  await rm(dataDir, { recursive: true, force: true })
})

test('an event that was broadcast on time is not broadcast again', async () => {
  const team = await listenAsTeam()
  const visitor = await startVisitor(server, world.acme.id)
  await startConversation(server, visitor, 'only once')
  await team.receive('shout', ({ body }) => body === 'only once')
  await sleep(2_500)
  expect(team.received.filter(({ payload }) => payload.body === 'only once')).toHaveLength(1)
})

test('a server broadcasts what another one committed but did not broadcast, from its own start on', async () => {
  const received = new Set<string>()
  const outlet = { broadcast: () => undefined, recheck: () => undefined }
  const broadcasting = await startBroadcasting({
    db: server.context.db,
    log: pino({ level: 'silent' }),
    apply: () => undefined,
    realtime: {
      accounts: () => new Set([world.acme.id]),
      onEvent: () => undefined,
      everywhere: () => outlet,
      local: {
        ...outlet,
        broadcast: (_key, _event, payload) => void received.add('id' in payload ? String(payload.id) : ''),
      },
    },
  })
  const { message } = await startConversation(server, world.carla, 'Anybody there?')
  await expect.poll(() => received.has(message.id), { timeout: 5_000 }).toBe(true)
  await broadcasting.stop()
})

test('the cursor of a server never passes an event that its sockets have not received', async () => {
  const { db } = server.context
  const received = new Set<string>()
  let isDeaf = true
  const broadcasting = await startBroadcasting({
    db,
    log: pino({ level: 'silent' }),
    apply: () => {
      if (isDeaf) throw new Error('Not now.')
    },
    realtime: {
      accounts: () => new Set([world.acme.id]),
      onEvent: () => undefined,
      everywhere: () => ({ broadcast: () => undefined, recheck: () => undefined }),
      local: {
        broadcast: (_key, _event, payload) => void received.add('id' in payload ? String(payload.id) : ''),
        recheck: () => undefined,
      },
    },
  })
  await expect.poll(() => broadcasting.cursor()).toBeTruthy()
  const ids: string[] = []
  for (let i = 0; i < 5; i++) {
    const { message } = await startConversation(server, world.carla, `${i}`)
    ids.push(message.id)
  }
  const missedAfter = async (after = broadcasting.cursor()) => {
    const path = `/api/events?after=${after}&limit=500`
    const { body } = await server.request('GET', path, { token: world.ada.token })
    const missed = body.data.filter(({ event }: { event: string }) => event === 'shout')
    return missed.map(({ payload }: { payload: { id: string } }) => payload.id)
  }
  for (let i = 0; i < 30; i++) {
    expect(await missedAfter()).toEqual(expect.arrayContaining(ids.filter((id) => !received.has(id))))
    await sleep(100)
  }
  expect(received.size).toBe(0)
  isDeaf = false
  await expect.poll(() => ids.every((id) => received.has(id))).toBe(true)
  await expect.poll(missedAfter.bind(null, undefined)).toEqual([])
  await broadcasting.stop()
})
