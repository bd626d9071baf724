import { once } from 'node:events'
import { connect } from 'node:net'
import { messages } from '#contract/conversations/messages.ts'
import { customerImports } from '#contract/customers/customer-imports.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startConversation } from '#tests/support/world.ts'

const test = base
  .extend('post', ({ server }) => (path: string, body: string | FormData, type?: string) => {
    return fetch(server.url + path, { method: 'POST', body, headers: { ...(type && { 'content-type': type }) } })
  })
  .extend('json', ({ post }) => (body: string) => {
    return post('/api/session', body, 'application/json')
  })

test('JSON above 256 kB is refused before it is parsed', async ({ json }) => {
  const bomb = `{"user":{"email":"${'\\u0041'.repeat(1_300_000)}"}}`
  expect((await json(bomb)).status).toBe(413)
  const allowed = `{"user":{"email":"${'\\u0041'.repeat(40_000)}","password":"x"}}`
  expect((await json(allowed)).status, 'too long for an e-mail, and read').toBe(422)
})

test('calls that declare a higher limit accept more', async ({ as }) => {
  const content = `email\n${'somebody@customer.test\n'.repeat(20_000)}`
  expect((await as.ada(customerImports.upload, { body: { content } })).data.rows_total).toBe(20_000)
})

test('deeply nested JSON is refused with an explanation', async ({ json }) => {
  const answer = await json(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`)
  expect([answer.status, ((await answer.json()) as { error: { message: string } }).error.message]).toEqual([
    400,
    'The body cannot be read. It is nested more than 50 levels deep.',
  ])
})

test('a null character in a URL is refused with 400', async ({ world, server }) => {
  for (const path of ['/api/conversations?q=%00', '/api/conversations/%00', '/api/customers?q=a%00b']) {
    expect((await server.request('GET', path, { token: world.ada.token })).status).toBe(400)
  }
})

test('a null character deep in metadata is refused, and a lone surrogate is replaced', async ({
  as,
  world,
  server,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const send = (metadata: Record<string, unknown>) =>
    as.carla(messages.create, { body: { message: { conversation_id, body: 'x', metadata } } })
  await expect(send({ a: [{ b: 'x\u0000' }] })).rejects.toMatchObject({ status: 422 })
  expect((await send({ a: [{ '\ud83d': 'cut \ud83d' }] })).data.metadata).toEqual({
    a: [{ '\ufffd': 'cut \ufffd' }],
  })
})

test('only calls that declare it accept a multipart form', async ({ world, post }) => {
  const form = new FormData()
  form.append('user[email]', world.ada.email)
  expect((await post('/api/session', form)).status).toBe(415)
})

test.for<[string, () => FormData]>([
  ['fields without number', () => manyFields(200)],
  ['one field without end', () => oneField('x'.repeat(300_000))],
  ['a second file', () => files(2)],
])('a form with %s is refused', async ([_, form], { post }) => {
  const answer = await post('/api/upload', form())
  expect([400, 413]).toContain(answer.status)
})

test('slow uploads of strangers keep nobody else from uploading', async ({ server, world, post }) => {
  const { hostname, port } = new URL(server.url)
  const head = 'POST /api/upload HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=edge\r\n'
  const part = '--edge\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\nslow'
  const strangers = Array.from({ length: 20 }, () => connect(Number(port), hostname))
  await Promise.all(strangers.map((socket) => once(socket, 'connect')))
  for (const socket of strangers)
    socket.on('error', () => undefined).write(`${head}content-length: 7000000\r\n\r\n${part}`)
  const form = new FormData()
  form.append('account_id', world.acme.id)
  form.append('file', new Blob(['quick']), 'quick.txt')
  expect((await post('/api/upload', form)).status).toBe(201)
  expect(
    strangers.every((socket) => !socket.destroyed),
    'they are still sending',
  ).toBe(true)
  for (const socket of strangers) socket.destroy()
})

test('an endless form is aborted, wherever its bytes are', async ({ server }) => {
  const { hostname, port } = new URL(server.url)
  const boundary = 'edge'
  const socket = connect(Number(port), hostname)
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('error', () => undefined)
  socket.write(
    `POST /api/upload HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\n` +
      'transfer-encoding: chunked\r\n\r\n',
  )
  const chunk = Buffer.alloc(64_000, 'x')
  let sent = 0
  while (!socket.destroyed && sent < 60_000_000) {
    if (!socket.write(`${chunk.length.toString(16)}\r\n`) || !socket.write(chunk) || !socket.write('\r\n'))
      await new Promise<void>((resolve) => {
        socket.once('drain', resolve)
        socket.once('close', () => resolve())
      })
    sent += chunk.length
  }
  await ended
  expect(sent).toBeLessThan(60_000_000)
})

function manyFields(count: number) {
  const form = new FormData()
  for (let i = 0; i < count; i++) form.append(`field${i}`, 'x')
  return form
}

function oneField(text: string) {
  const form = new FormData()
  form.append('account_id', text)
  return form
}

function files(count: number) {
  const form = new FormData()
  for (let i = 0; i < count; i++) form.append(`file${i}`, new Blob(['x']), 'x.txt')
  return form
}
