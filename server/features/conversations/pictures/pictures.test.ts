import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll } from 'vitest'
import { pictures } from '#contract/conversations/pictures.ts'
import { test as base, expect } from '#tests/support/fixture.ts'

let gallery: Server
let gallery_url: string
const visits: { path: string; headers: Record<string, unknown> }[] = []
beforeAll(async () => {
  const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  gallery = createServer(({ url: path = '', headers }, response) => {
    visits.push({ path, headers })
    if (path === '/photo.jpg') return response.end(photo)
    if (path === '/huge.jpg') return response.end(Buffer.alloc(6_000_000))
    if (path === '/moved.jpg') return response.writeHead(302, { location: '/photo.jpg' }).end()
    if (path === '/page.jpg') return response.setHeader('content-type', 'image/jpeg').end('<script>alert(1)</script>')
    return response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => gallery.listen(0, '127.0.0.1', resolve))
  gallery_url = `http://127.0.0.1:${(gallery.address() as AddressInfo).port}`
})
afterAll(() => {
  gallery.close()
})

const test = base
  .extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })
  .extend('get', ({ world, server }) => (path: string, token = world.ada.token) => {
    return fetch(`${server.url}/api/pictures?url=${encodeURIComponent(gallery_url + path)}`, {
      headers: { authorization: token, 'user-agent': 'the browser of Ada' },
    })
  })

test('an external picture is served as a small copy, fetched once by the server', async ({ world, get }) => {
  const answers = await Promise.all([get('/photo.jpg'), get('/photo.jpg'), get('/photo.jpg', world.ben.token)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const { width, height, format } = await sharp(Buffer.from(await answers[0]!.arrayBuffer())).metadata()
  expect([width, height, format]).toEqual([144, 144, 'webp'])
  expect(visits).toHaveLength(1)
  expect(JSON.stringify(visits[0]!.headers)).not.toContain('the browser of Ada')
})

test('a picture of a page is served complete', async ({ world, server }) => {
  const url = encodeURIComponent(`${gallery_url}/photo.jpg`)
  const answer = await server.request('GET', `/api/pictures?size=whole&url=${url}`, { token: world.ada.token })
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/webp'])
})

test('redirects are followed', async ({ get }) => {
  expect((await get('/moved.jpg')).status).toBe(200)
})

test.for(['/huge.jpg', '/page.jpg', '/missing.jpg'])('%s is not found', async (path, { get }) => {
  expect((await get(path)).status).toBe(404)
})

test('a picture in a private network is not fetched', async ({ as }) => {
  await expect(as.ada(pictures.get, { query: { url: 'http://10.0.0.1/photo.jpg' } })).rejects.toMatchObject({
    status: 404,
  })
})

test.for(['ftp://example.com/x', 'javascript:alert(1)', '/files/x'])(
  '%s is no address of a picture',
  async (url, { as }) => {
    await expect(as.ada(pictures.get, { query: { url } })).rejects.toMatchObject({ status: 422 })
  },
)
