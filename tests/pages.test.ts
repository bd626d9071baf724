import { test as base, expect } from '#tests/support/fixture.ts'
import { startTestServer } from './support/server.ts'

const test = base.extend('get', ({ server }) => (path: string, method = 'GET') => {
  return server.request(method, path, { headers: { accept: '*/*' } })
})

test('every path of the dashboard returns its page, with a policy that forbids framing by other sites', async ({
  get,
}) => {
  for (const path of ['/', '/login', '/conversations/all', '/inboxes/x/conversations/y', '/share?cid=1&token=2']) {
    const { status, headers } = await get(path)
    expect(status, path).toBe(200)
    expect(headers['content-type']).toContain('text/html')
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
  }
  expect((await get('/', 'HEAD')).status).toBe(200)
})

test('the chat window may be framed by any site, and connects only to our server', async ({ get }) => {
  const { status, headers } = await get('/chat')
  expect(status).toBe(200)
  expect(headers['content-security-policy']).not.toContain('frame-ancestors')
  expect(headers['content-security-policy']).toContain("connect-src 'self'")
  expect(headers['x-frame-options']).toBeUndefined()
})

test('the widget’s script is for every site, and cached for a minute', async ({ get }) => {
  const { status, headers } = await get('/widget.js')
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=60, must-revalidate',
  })
})

test('a missing file is answered with 404 instead of a page', async ({ get }) => {
  for (const path of ['/assets/gone-abc123.js', '/favicon.png', '/api/nowhere', '/files/x/y.png', '/socket/longpoll']) {
    expect((await get(path)).status, path).toBe(404)
  }
})

test('the page gets the installation’s settings from a script file, because inline scripts are forbidden', async ({
  get,
}) => {
  const { body, headers } = await get('/env.js')
  expect(headers['content-type']).toContain('text/javascript')
  expect(body).toMatch(/^window\.__ENV__ = \{.*"REACT_APP_URL"/)
})

test('the dashboard may frame the support chat of one other installation, and no other site', async ({ get }) => {
  const guided = await startTestServer({ SUPPORT_CHAT_URL: 'https://support.test/x' })
  const { headers } = await guided.request('GET', '/login', { headers: { accept: '*/*' } })
  expect(headers['content-security-policy']).toContain("frame-src 'self' https://support.test;")
  expect(headers['content-security-policy']).toContain("connect-src 'self' https://support.test;")
  expect((await get('/login')).headers['content-security-policy']).toContain("frame-src 'self';")
  await guided.close()
})
