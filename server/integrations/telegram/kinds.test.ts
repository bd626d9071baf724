import { vi } from 'vitest'
import { expect } from '#tests/support/fixture.ts'
import {
  connect,
  endTelegram,
  listOf,
  newPerson,
  TIMEOUT,
  telegram,
  test,
  threadOf,
  waitForThread,
} from '#tests/support/telegram.ts'

test.beforeEach(async ({ as, world }) => void (await connect(as, world)))
test.afterEach(({ as }) => endTelegram(as))

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const bytes = (text: string) => Buffer.from(text)

/** What somebody sends, and what the team then reads: the text and the names of files. */
const KINDS: Record<string, { content: () => object; body: string | RegExp; files?: (string | RegExp)[] }> = {
  'the largest size of a photo, with its caption': {
    content: () => ({
      photo: [
        telegram.file(bytes('small'), { width: 90, height: 60 }),
        telegram.file(PNG, { width: 900, height: 600 }),
      ],
      caption: 'My desk is broken',
      caption_entities: [{ type: 'bold', offset: 11, length: 6 }],
    }),
    body: 'My desk is **broken**',
    files: [/^photo-\d+\.jpg$/],
  },
  'a document by its name': {
    content: () => ({ document: telegram.file(bytes('%PDF-1.4'), { file_name: 'bill.pdf' }) }),
    body: '',
    files: ['bill.pdf'],
  },
  'a voice message': { content: () => ({ voice: telegram.file(bytes('ogg')) }), body: '', files: [/^voice-\d+\.ogg$/] },
  music: {
    content: () => ({ audio: telegram.file(bytes('mp3'), { file_name: 'a.mp3' }) }),
    body: '',
    files: ['a.mp3'],
  },
  'a video': { content: () => ({ video: telegram.file(bytes('mp4')) }), body: '', files: [/^video-\d+\.mp4$/] },
  'a round video': { content: () => ({ video_note: telegram.file(bytes('mp4')) }), body: '', files: [/^video-/] },
  'an animation once, although it is a document, too': {
    content: () => {
      const animation = telegram.file(bytes('mp4'))
      return { animation, document: animation }
    },
    body: '',
    files: [/^animation-\d+\.mp4$/],
  },
  'a sticker that is a picture': {
    content: () => ({ sticker: telegram.file(PNG, { emoji: '👍' }) }),
    body: '',
    files: [/^sticker-\d+\.webp$/],
  },
  'the emoji of a moving sticker': {
    content: () => ({ sticker: telegram.file(bytes('tgs'), { emoji: '👍', is_animated: true }) }),
    body: '👍 [sticker]',
  },
  'a place on a map': {
    content: () => ({ location: { latitude: 48.2, longitude: 16.37 } }),
    body: 'https://www.openstreetmap.org/?mlat=48.2&mlon=16.37#map=16/48.2/16.37',
  },
  'a venue once, although it has a place, too': {
    content: () => {
      const location = { latitude: 1, longitude: 2 }
      return { location, venue: { title: 'Café', address: 'Main St. 1', location } }
    },
    body: /^Café, Main St\. 1\nhttps:\/\/www\.openstreetmap\.org\/\?mlat=1&mlon=2#map=16\/1\/2$/,
  },
  'the contact of somebody else, without believing that it is theirs': {
    content: () => ({ contact: { phone_number: '+4917012345', first_name: 'Max', last_name: 'Muster', user_id: 1 } }),
    body: 'Max Muster: +4917012345',
    files: ['contact.vcf'],
  },
  'the name of a kind that is not shown': {
    content: () => ({ poll: { id: '1', question: 'Which?' } }),
    body: '[poll not shown]',
  },
  'a kind that did not exist when this was written': {
    content: () => ({ holo_message: { secret: 1 } }),
    body: '[holo_message not shown]',
  },
  'what it answers, and from whom it was forwarded': {
    content: () => ({
      text: 'This one',
      reply_to_message: { message_id: 1, text: 'Which desk?\nThe *red* one?' },
      forward_origin: { type: 'user', sender_user: { id: 1, first_name: 'Max' } },
    }),
    body: 'Forwarded from Max:\n\n> Which desk?\n> The \\*red\\* one?\n\nThis one',
  },
}

test.for(Object.entries(KINDS))('the team reads %s', async ([name, { content, body, files: names = [] }], { as }) => {
  const person = newPerson(`Kind ${Object.keys(KINDS).indexOf(name)}.`)
  telegram.send(person, content())
  const { thread } = await waitForThread(as, person)
  expect(thread).toHaveLength(1)
  if (typeof body === 'string') expect(thread[0]!.body ?? '').toBe(body)
  else expect(thread[0]!.body).toMatch(body)
  expect(thread[0]!.attachments.map(({ filename }) => filename)).toEqual(
    names.map((name) => (typeof name === 'string' ? name : expect.stringMatching(name))),
  )
})

test('an album is one message, with its caption and its pictures in order', async ({ as }) => {
  const person = newPerson('Albert')
  const picture = (file_name: string, more: object = {}) => ({
    document: telegram.file(bytes(file_name), { file_name }),
    ...more,
  })
  const asked = telegram.requestsTo('POST /bot').filter(({ path }) => path.endsWith('/getFile')).length
  telegram.album(person, [picture('1.txt'), picture('2.txt', { caption: 'All three' }), picture('3.txt')])
  telegram.say(person, 'That is all')
  const { thread } = await waitForThread(as, person, 2)
  expect(thread.map(({ body }) => body)).toEqual(['All three', 'That is all'])
  expect(thread[0]!.attachments.map(({ filename }) => filename)).toEqual(['1.txt', '2.txt', '3.txt'])
  const files = telegram.requestsTo('POST /bot').filter(({ path }) => path.endsWith('/getFile'))
  expect(files.length - asked, 'each file is fetched once').toBe(3)
})

test('a file that Telegram does not give out is named, and no link with the token is stored anywhere', async ({
  as,
  server,
}) => {
  const person = newPerson('Bertha')
  telegram.send(person, { document: { file_id: 'x', file_size: 80_000_000, file_name: 'film.mkv' }, caption: 'Look' })
  telegram.send(person, { document: { file_id: 'unknown', file_name: 'lost.txt' } })
  const { thread } = await waitForThread(as, person, 2)
  expect(thread[0]!.body).toMatch(/^Look\n\n\(film\.mkv, 80 MB, was not received/)
  expect(thread[1]!.body).toMatch(/lost\.txt was not received/)
  const stored = await server.context.db.selectFrom('inbound_events').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain('token_of_the_bot')
  expect(JSON.stringify(thread)).not.toContain('token_of_the_bot')
})

test('a phone number counts when somebody shares their own', async ({ as }) => {
  const person = newPerson('Clara')
  telegram.send(person, { contact: { phone_number: '4917099', first_name: 'Clara', user_id: person.id } })
  await waitForThread(as, person)
  expect((await listOf(as, person))[0]!.customer.phone).toBe('+4917099')
})

test('an edit is a private note with the new text; one that nobody sees is none', async ({ as }) => {
  const person = newPerson('Dora')
  const message = telegram.say(person, 'I want two desks')
  telegram.edit(person, message, { link_preview_options: { is_disabled: true } })
  telegram.edit(person, message, { text: 'I want **three** desks' })
  telegram.edit(person, message, { text: 'I want four desks' })
  const { thread } = await waitForThread(as, person, 3)
  expect(thread.map(({ body }) => body)).toEqual([
    'I want two desks',
    'The customer changed it in Telegram to:\n\nI want \\*\\*three\\*\\* desks',
    'The customer changed it in Telegram to:\n\nI want four desks',
  ])
  expect(thread.map((message) => message.private)).toEqual([false, true, true])
})

test('the further positions of a live location are no messages', async ({ as }) => {
  const person = newPerson('Emil')
  const message = telegram.send(person, { location: { latitude: 1, longitude: 2, live_period: 900 } })
  telegram.edit(person, message, { location: { latitude: 3, longitude: 4, live_period: 900 } })
  telegram.say(person, 'I am on my way')
  const { conversation } = await waitForThread(as, person, 2)
  await vi.waitFor(() => expect(telegram.pending()).toBe(0), TIMEOUT)
  expect((await threadOf(as, conversation.id)).map(({ body }) => body)).toEqual([
    expect.stringContaining('mlat=1'),
    'I am on my way',
  ])
})

test('remarks of Telegram about the chat are no messages', async ({ as }) => {
  const person = newPerson('Frida')
  telegram.say(person, 'Hello')
  telegram.send(person, { pinned_message: { message_id: 1 } })
  telegram.say(person, 'Bye')
  const { thread } = await waitForThread(as, person, 2)
  expect(thread.map(({ body }) => body)).toEqual(['Hello', 'Bye'])
})
