import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from './support/fixture.ts'

/** Larger than any id that the database's columns can hold. */
const HUGE = 2 ** 31

/** Inputs of calls with which the database would fail, or that JavaScript would read as something else. */
const REFUSED: Record<string, { method?: 'GET' | 'POST' | 'PUT'; path: string; body?: object; status?: number }> = {
  'a user id beyond the column': {
    method: 'POST',
    path: '/api/issues',
    body: { issue: { title: 'x', assignee_id: HUGE } },
  },
  'a user id beyond the column among mentions': {
    method: 'POST',
    path: '/api/messages',
    body: { message: { conversation_id: randomUUID(), body: 'x', mentioned_user_ids: [HUGE] } },
  },
  'a time that is no time': {
    method: 'POST',
    path: '/api/issues',
    body: { issue: { title: 'x', finished_at: 'banana 7' } },
  },
  'a day that does not exist': {
    method: 'POST',
    path: '/api/issues',
    body: { issue: { title: 'x', finished_at: '2027-02-30' } },
  },
  'a report from a day that does not exist': { path: '/api/reporting?from_date=2026-02-30&to_date=2026-12-31' },
  'days of a report that do not exist': { path: '/api/reporting/days.csv?from_date=2026-02-30&to_date=2026-12-31' },
  'a page after a day that does not exist': { path: `/api/conversations?after=${cursorAt('2026-02-30')}`, status: 400 },
  'notes after a day that does not exist': { path: `/api/notes?after=${cursorAt('2026-02-30')}`, status: 400 },
  'results after a year that does not exist': {
    path: `/api/search?q=desk&after=${cursorAt('0000-01-01')}`,
    status: 400,
  },
}

function cursorAt(day: string): string {
  return Buffer.from(`${day}T10:00:00.000Z ${randomUUID()}`).toString('base64url')
}

test.for(Object.entries(REFUSED))('%s is refused with an explanation', async ([, call], { server, world }) => {
  const { method = 'GET', path, body, status = 422 } = call
  const answer = await server.request(method, path, { token: world.ada.token, ...(body && { body }) })
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  expect(answer.body.error.message).toBeTruthy()
})

const LISTS = ['companies', 'issues', 'notes', 'messages', 'customers', 'conversations', 'events']

test.for(LISTS)('a limit that is no number from 1 is refused by every list: %s', async (list, { server, world }) => {
  const statusFor = async (limit: string) =>
    (await server.request('GET', `/api/${list}?limit=${limit}`, { token: world.ada.token })).status
  expect(await statusFor('1')).toBe(200)
  // Forms send empty fields.
  expect(await statusFor('')).toBe(200)
  for (const limit of ['-1', '0', '-3', 'abc', String(HUGE)]) expect(await statusFor(limit), limit).toBe(422)
})

test('an unknown inbox is named, and a malformed topic is refused without an error in the log', async ({
  server,
  world,
}) => {
  const inbox_id = randomUUID()
  const answer = await server.request('GET', `/api/widget_team?account_id=${world.acme.id}&inbox_id=${inbox_id}`)
  expect(answer).toMatchObject({ status: 404, body: { error: { message: expect.stringContaining(inbox_id) } } })
})

test('what is no readable request is answered in the shape of all other errors', async ({ server }) => {
  const { port, hostname } = new URL(server.url)
  const answerTo = async (request: string) => {
    const socket = connect(Number(port), hostname)
    socket.end(request)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    return { head, error: JSON.parse(body).error }
  }
  const long = await answerTo(`GET /api/${'x'.repeat(17_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  expect(long.head).toContain(' 431 ')
  expect(long.error).toMatchObject({ status: 431, code: 431, message: expect.stringContaining('too large') })
  const broken = await answerTo('GET /api/me HTTP/1.1\r\nHost localhost\r\n\r\n')
  expect(broken.error).toMatchObject({ status: 400, message: expect.any(String) })
})
