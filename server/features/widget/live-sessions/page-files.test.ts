import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { test as base } from '#tests/support/fixture.ts'
import type { TestServer } from '#tests/support/server.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const FILES: Record<string, [type: string, content: string | Buffer]> = {
  '/pixel.png': ['text/html', PIXEL],
  '/page.css': ['text/css; charset=utf-8', 'body{color:teal}'],
  '/drawing.svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  '/page': ['text/html', '<h1>Accounts</h1>'],
  '/page.png': ['image/png', '<h1>Accounts</h1>'],
  '/large.png': ['image/png', Buffer.concat([PIXEL, Buffer.alloc(6_000_000)])],
}

const test = base
  .extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })
  .extend('site', { scope: 'file' }, async ({ server: _ }, { onCleanup }) => {
    const requests: { path: string; cookie: string | undefined }[] = []
    const site = createServer(({ url = '', headers }, response) => {
      requests.push({ path: url, cookie: headers.cookie })
      if (url === '/moved.png') return response.writeHead(302, { location: '/pixel.png' }).end()
      const [type, content] = FILES[url] ?? []
      if (!type) return response.writeHead(404).end()
      return response.writeHead(200, { 'content-type': type }).end(content)
    })
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
    onCleanup(() => void site.close())
    const host = `127.0.0.1:${(site.address() as AddressInfo).port}`
    return { host, url: `http://${host}`, requests }
  })

const read = (server: TestServer, token: string, url: string) =>
  fetch(`${server.url}/api/browser_sessions/page_file?url=${encodeURIComponent(url)}`, {
    headers: { authorization: token, cookie: 'ada=1' },
  })

test('files of a watched page are fetched only after an admin has allowed its host', async ({
  server,
  world,
  site,
}) => {
  expect((await read(server, world.ada.token, `${site.url}/pixel.png`)).status).toBe(404)
  expect(site.requests).toEqual([])
})

test('images and stylesheets of an allowed host are served as inert copies', async ({ as, server, world, site }) => {
  await as.ada(accounts.update, { body: { account: { settings: { replay_hosts: [site.host.toUpperCase()] } } } })
  const types = await Promise.all(
    ['/pixel.png', '/page.css', '/drawing.svg'].map(async (path) => {
      const { status, headers } = await read(server, world.ada.token, site.url + path)
      return [status, headers.get('content-type'), headers.get('content-security-policy')]
    }),
  )
  const policy = "default-src 'none'; sandbox"
  expect(types).toEqual([
    [200, 'image/png', policy],
    [200, 'text/css', policy],
    [200, 'image/svg+xml', policy],
  ])
  const copy = await read(server, world.ada.token, `${site.url}/pixel.png`)
  expect(Buffer.from(await copy.arrayBuffer())).toEqual(PIXEL)
  expect(site.requests.every(({ cookie }) => cookie === undefined)).toBe(true)
})

test.for(['/page', '/page.png', '/large.png', '/moved.png', '/missing.png'])(
  '%s of a named host is not handed out',
  async (path, { as, server, world, site }) => {
    await as.ada(accounts.update, { body: { account: { settings: { replay_hosts: [site.host] } } } })
    expect((await read(server, world.ada.token, site.url + path)).status).toBe(404)
  },
)

test('a private address is not fetched, even if it is allowed', async ({ as, server, world }) => {
  await as.ada(accounts.update, { body: { account: { settings: { replay_hosts: ['10.0.0.1'] } } } })
  expect((await read(server, world.ada.token, 'http://10.0.0.1/pixel.png')).status).toBe(404)
})

test('only watchers may fetch them, and only from hosts of their own account', async ({ as, server, world, site }) => {
  await as.ada(accounts.update, { body: { account: { settings: { replay_hosts: [site.host] } } } })
  const statusFor = async (token: string) => (await read(server, token, `${site.url}/pixel.png`)).status
  expect([
    await statusFor(world.ada.token),
    await statusFor(world.ben.token),
    await statusFor(world.olga.token),
    await statusFor(world.carla.token),
  ]).toEqual([200, 403, 404, 401])
})
