import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type S3Server, s3SettingsOf, startS3 } from './support/s3-server.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { createWorld } from './support/world.ts'

const NO_STORE = 'Files cannot be stored or read at the moment. Try again later.'

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(() => s3.stop())

async function upload(server: TestServer) {
  const { ben } = await createWorld(server)
  const form = new FormData()
  form.append('file', new Blob(['hello']), 'hello.txt')
  const request = { method: 'POST', body: form, headers: { authorization: ben.token } }
  const answer = await fetch(`${server.url}/api/upload`, request)
  return { status: answer.status, message: ((await answer.json()) as { error: { message: string } }).error.message }
}

test.for([
  ['whose bucket does not exist', { S3_BUCKET: 'no-such-bucket' }, /has no bucket named no-such-bucket: create it/],
  [
    'with a wrong key',
    { S3_SECRET_ACCESS_KEY: 'guessed' },
    /refuses access to the bucket parley-files: check S3_ACCESS/,
  ],
] as const)('a server %s says so and does not start', async ([, wrong, sentence]) => {
  await expect(startTestServer({ ...s3.settings, ...wrong })).rejects.toThrow(sentence)
})

test('with a store that cannot be reached the server works, refuses files, and says which part fails', async () => {
  const server = await startTestServer(s3SettingsOf('http://127.0.0.1:9'))
  try {
    expect(await upload(server)).toEqual({ status: 503, message: NO_STORE })
    const { status, body } = await server.request('GET', '/ready')
    expect([status, body.files.ok, body.database.ok]).toEqual([200, false, true])
  } finally {
    await server.close()
  }
})

test('a store that accepts connections and never answers keeps nobody waiting for long', async () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const server = await startTestServer(s3SettingsOf(`http://127.0.0.1:${port}`))
  try {
    const [refused, ready] = await Promise.all([upload(server), server.request('GET', '/ready')])
    expect(refused).toEqual({ status: 503, message: NO_STORE })
    expect([ready.status, ready.body.files.ok]).toEqual([200, false])
  } finally {
    await server.close()
    for (const socket of sockets) socket.destroy()
    silent.close()
  }
})
