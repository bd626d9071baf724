import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, type World } from '#tests/support/world.ts'
import { Socket } from './socket.ts'

let server: TestServer
let world: World
const lines: Socket[] = []

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
  Object.assign(globalThis, { location: { href: server.url } })
})
afterAll(async () => {
  for (const socket of lines) socket.close()
  Reflect.deleteProperty(globalThis, 'location')
  await server.close()
})

function open(params: Record<string, string>, handlers = {}) {
  const socket = new Socket(params, handlers)
  lines.push(socket)
  return socket
}

test('a topic is joined, receives, sends, and is joined again after reconnecting', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const socket = open({ token: world.carla.token })
  const joins: (() => void)[] = []
  const joined = () => new Promise<void>((resolve) => joins.push(resolve))
  const first = joined()
  const bodies: string[] = []
  let received: (() => void) | undefined
  const topic = socket
    .topic(`conversation:${conversation_id}`, { customer_id: world.carla.customer_id })
    .onAnswer(() => joins.shift()?.())
    .on('shout', ({ body }: { body: string }) => {
      bodies.push(body)
      received?.()
    })
  const push = async (body: string) => {
    const echoed = new Promise<void>((resolve) => {
      received = resolve
    })
    topic.push('shout', { body })
    await echoed
  }
  await first
  await push('one')
  const second = joined()
  socket.reopen()
  expect(topic.isJoined).toBe(false)
  await second
  await push('two')
  expect(bodies).toEqual(['one', 'two'])
})

test('a refused connection is reported, and nothing arrives from a topic that was left', async () => {
  await new Promise<void>((resolve) => open({ token: 'nobody' }, { failed: resolve }))
  const socket = open({ account_id: world.acme.id })
  const states: object[] = []
  const room = await new Promise<ReturnType<Socket['topic']>>((resolve) => {
    const topic = socket.topic(`room:${world.acme.id}`).on('presence_state', (state: object) => {
      states.push(state)
      resolve(topic)
    })
  })
  room.leave()
  expect(room.isJoined).toBe(false)
  expect(states).toEqual([{}])
})
