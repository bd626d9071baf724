import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createGuard } from './guard.ts'
import { createOutbound } from './outbound.ts'

interface Seen {
  method: string
  path: string
  authorization: string | undefined
  body: string
}

const answers: Record<string, RequestListener> = {
  '/hello': (_, response) => void response.end('hello'),
  '/slow': () => undefined,
  '/trickle': (_, response) => {
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  },
  '/large': (_, response) => void response.end(Buffer.alloc(200_000)),
  '/packed': (_, response) =>
    void response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(5_000_000))),
  '/to-private': (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/secrets' }).end(),
  '/to-other': (_, response) => void response.writeHead(302, { location: `${other}/hello` }).end(),
  '/to-same': (_, response) => void response.writeHead(307, { location: '/hello' }).end(),
  '/round': (_, response) => void response.writeHead(302, { location: '/round' }).end(),
  '/broken': (request) => void request.socket.destroy(),
}
const seen: Seen[] = []
const servers: Server[] = []
let url: string
let other: string
const outbound = createOutbound(['127.0.0.0/8'])

beforeAll(async () => {
  url = await serve()
  other = await serve()
})
beforeEach(() => void seen.splice(0))
afterAll(async () => {
  await outbound.close()
  for (const server of servers) server.closeAllConnections()
  for (const server of servers) server.close()
})

async function serve(): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const { method = '', url: path = '', headers } = request
    seen.push({ method, path, authorization: headers.authorization, body })
    answers[path]?.(request, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  'http://127.0.0.1:8081/',
  'http://localhost:8081/',
  'http://[::1]:8081/',
  'http://[::ffff:10.0.0.1]/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data',
  'http://100.64.0.1/',
  'http://0.0.0.0/',
  'http://[fd00::1]/',
  'http://[64:ff9b::a00:1]/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0x7f000001/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://127.255.255.254/',
  'http://127。0。0。1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://LOCALHOST/',
  'http://0/',
  'http://0x0/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://169.254.0xa9fe/',
  'http://0251.0376.0251.0376/',
  'http://10.255.255.255/',
  'http://0x0a000001/',
  'http://172.31.255.255/',
  'http://192.168.0xff01/',
  'http://198.18.0.1/',
  'http://192.0.0.8/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[0:0:0:0:0:ffff:a9fe:a9fe]/',
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[ff02::1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001::1]/',
  'http://[2001:db8::1]/',
])('%s is private and is not called', async (address) => {
  const guarded = createOutbound([])
  await expect(guarded.request(address)).rejects.toThrow(/is a private address/)
  await guarded.close()
})

test.each([
  ['file:///etc/passwd', /must begin with http/],
  ['ftp://example.com', /must begin with http/],
  ['http://user:secret@example.com', /user name or password/],
  ['not an address', /not a valid URL/],
])('%s is refused', async (address, why) => {
  await expect(outbound.request(address)).rejects.toThrow(why)
})

test('a host name is checked by the addresses it resolves to when connecting', async () => {
  const { lookup } = createGuard([])
  const message = await new Promise((resolve) => lookup('localhost', {}, (error) => resolve(error?.message)))
  expect(message).toMatch(/localhost is a private address/)
})

test('a private host that the operator allowed can be reached', async () => {
  const byName = createOutbound(['localhost'])
  const { port } = new URL(url)
  expect(String((await byName.request(`http://localhost:${port}/hello`)).bytes)).toBe('hello')
  await expect(byName.request(`${url}/hello`)).rejects.toThrow(/private/)
  await byName.close()
})

test('a redirect to a private address is not followed', async () => {
  const named = createOutbound(['127.0.0.1'])
  await expect(named.request(`${url}/to-private`, { redirects: 3 })).rejects.toThrow(/169\.254\.169\.254 is a private/)
  await named.close()
})

test('redirects are followed only if requested, and only a limited number', async () => {
  expect((await outbound.request(`${url}/to-same`)).status).toBe(307)
  expect(String((await outbound.request(`${url}/to-same`, { redirects: 1 })).bytes)).toBe('hello')
  await expect(outbound.request(`${url}/round`, { redirects: 5 })).rejects.toThrow(/redirects too often/)
})

test('credentials are sent only to the original host, not to one it redirects to', async () => {
  const headers = { authorization: 'Bearer secret', 'content-type': 'text/plain' }
  await outbound.request(`${url}/to-other`, { method: 'POST', headers, body: 'words', redirects: 1 })
  await outbound.request(`${url}/to-same`, { method: 'POST', headers, body: 'words', redirects: 1 })
  expect(seen).toEqual([
    { method: 'POST', path: '/to-other', authorization: 'Bearer secret', body: 'words' },
    { method: 'GET', path: '/hello', authorization: undefined, body: '' },
    { method: 'POST', path: '/to-same', authorization: 'Bearer secret', body: 'words' },
    { method: 'POST', path: '/hello', authorization: 'Bearer secret', body: 'words' },
  ])
})

test.each([
  ['/slow', /did not respond in time/, 300],
  ['/trickle', /did not respond in time/, 300],
  ['/large', /larger than 100 kB/, 30_000],
  ['/packed', /larger than 100 kB/, 30_000],
  ['/broken', /cannot be reached/, 30_000],
])('%s does not hold us up', async (path, why, timeout_ms) => {
  await expect(outbound.request(url + path, { timeout_ms, max_bytes: 100_000 })).rejects.toThrow(why)
})
