import { vi } from 'vitest'
import { deliveries } from '#contract/connections/deliveries.ts'
import type { StoredFile } from '#contract/conversations/messages.ts'
import { BOT_TOKEN, refused } from '#tests/emulators/telegram.ts'
import { type Callers, expect } from '#tests/support/fixture.ts'
import {
  answer,
  connect,
  deliveriesOf,
  endTelegram,
  newPerson,
  sentTo,
  TIMEOUT,
  telegram,
  test,
  waitForThread,
} from '#tests/support/telegram.ts'
import { PIXEL, upload } from '#tests/support/uploads.ts'
import { splitMessage } from './pieces.ts'

test.beforeEach(async ({ as, world }) => void (await connect(as, world)))
test.afterEach(({ as }) => endTelegram(as))

async function begin(as: Callers, name: string) {
  const person = newPerson(name)
  telegram.say(person, 'Show me')
  const { conversation } = await waitForThread(as, person)
  return { person, conversation_id: conversation.id }
}

test('files are sent as photos, documents and albums, after the text', async ({ as, server, world }) => {
  const { person, conversation_id } = await begin(as, 'Ulla')
  const file_ids: string[] = []
  for (const name of ['a.png', 'b.png']) file_ids.push(await upload(server, world, name, PIXEL))
  for (const name of ['a.txt', 'b.txt', 'c.txt']) file_ids.push(await upload(server, world, name, Buffer.from(name)))
  await answer(as, conversation_id, 'Here they are', { file_ids })
  await vi.waitFor(() => expect(sentTo(person)).toHaveLength(6), TIMEOUT)
  expect(sentTo(person).map(({ method, text, files }) => [method, text ?? files[0]!.name])).toEqual([
    ['sendMessage', 'Here they are'],
    ['sendMediaGroup', 'a.png'],
    ['sendMediaGroup', 'b.png'],
    ['sendMediaGroup', 'a.txt'],
    ['sendMediaGroup', 'b.txt'],
    ['sendMediaGroup', 'c.txt'],
  ])
  expect(sentTo(person)[1]!.files[0]!.bytes.subarray(1, 4).toString()).toBe('PNG')
})

test('a picture that Telegram cannot show is sent as a document', async ({ as, server, world }) => {
  const { person, conversation_id } = await begin(as, 'Vera')
  const file_ids = [await upload(server, world, 'odd.png', PIXEL)]
  telegram.fail(`POST /bot${BOT_TOKEN}/sendPhoto`, refused(400, 'Bad Request: PHOTO_INVALID_DIMENSIONS'))
  await answer(as, conversation_id, '', { file_ids })
  await vi.waitFor(() => expect(sentTo(person).map(({ method }) => method)).toEqual(['sendDocument']), TIMEOUT)
})

test('after an unknown outcome in the middle, only what was not sent is sent again', async ({ as, server, world }) => {
  const { person, conversation_id } = await begin(as, 'Willy')
  const file_ids = [await upload(server, world, 'bill.txt', Buffer.from('bill'))]
  telegram.fail(`POST /bot${BOT_TOKEN}/sendDocument`, { status: 502, body: '<html>Bad Gateway</html>' })
  await answer(as, conversation_id, 'Your bill', { file_ids })
  const failed = await vi.waitFor(async () => {
    const [newest] = await deliveriesOf(as, conversation_id)
    expect(newest).toMatchObject({ state: 'failed' })
    return newest!
  }, TIMEOUT)
  await as.ben(deliveries.retry, { params: { id: failed.id } })
  await vi.waitFor(() => expect(sentTo(person)).toHaveLength(2), TIMEOUT)
  expect(sentTo(person).map(({ text, files }) => text ?? files[0]!.name)).toEqual(['Your bill', 'bill.txt'])
})

const file = (more: object) =>
  ({
    id: '1',
    filename: 'a',
    content_type: 'image/png',
    size: 1,
    width: 10,
    height: 10,
    file_url: 'https://x',
    ...more,
  }) as StoredFile & { size: number }

test('what is no photo for Telegram becomes a document, and what is too large a link', () => {
  const kindOf = (more: object) => splitMessage({ body: null, customer_id: null }, [file(more)]).map(({ kind }) => kind)
  expect(kindOf({})).toEqual(['photos'])
  expect(kindOf({ size: 10_000_001 })).toEqual(['documents'])
  expect(kindOf({ width: 9_000, height: 1_001 })).toEqual(['documents'])
  expect(kindOf({ width: 2_100, height: 100 })).toEqual(['documents'])
  expect(kindOf({ content_type: 'image/svg+xml' })).toEqual(['documents'])
  expect(kindOf({ size: 50_000_001 })).toEqual(['text'])
  const many = splitMessage(
    { body: 'x', customer_id: null },
    Array.from({ length: 23 }, () => file({})),
  )
  expect(many.map((piece) => (piece.kind === 'text' ? piece.kind : piece.files.length))).toEqual(['text', 10, 10, 3])
})
