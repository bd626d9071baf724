import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { type SearchHit, search } from '#contract/conversations/search.ts'
import { foldWords } from '#contract/conversations/search-words.ts'
import type { Answer, BodyInput, QueryInput } from '#contract/endpoint.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const test = base
  .extend('page', ({ as }) => (q: string, who = as.ada, more: { limit?: number; after?: string } = {}) => {
    return who(search.find, { query: { q, ...more } })
  })
  .extend('find', ({ as, page }) => async (q: string, who = as.ada) => {
    return (await page(q, who)).data
  })
  .extend('bodies', ({ as, find }) => async (q: string, who = as.ada) => {
    return (await find(q, who)).map((hit) => hit.message?.excerpt.text)
  })
  .extend('post', ({ as }) => async (conversation_id: string, body: string, who = as.ada, more = {}) => {
    return (await who(messages.create, { body: { message: { conversation_id, body, ...more } } })).data
  })
  .extend('change', ({ as }) => (id: string, conversation: BodyInput<typeof conversations.update>['conversation']) => {
    return as.ada(conversations.update, { params: { id }, body: { conversation } })
  })

test('accents, case and Unicode composition make no difference, on either side', async ({
  as,
  world,
  server,
  post,
  bodies,
}) => {
  const { conversation_id } = await startConversation(server, world.carla, 'Đơn hàng của tôi ở Thủ Đức bị trễ')
  await post(conversation_id, 'Những chữ được ghép'.normalize('NFD'), as.carla)
  for (const q of ['thu duc', 'THỦ ĐỨC', 'Thủ Đức'.normalize('NFD'), 'thủ đuc tre']) {
    expect(await bodies(q), q).toEqual(['Đơn hàng của tôi ở Thủ Đức bị trễ'])
  }
  for (const q of ['nhung chu', 'Những chữ', 'duoc ghep']) expect(await bodies(q), q).toHaveLength(1)
})

test('every word must match, each as the beginning of a word', async ({ as, world, server, post, bodies }) => {
  const { conversation_id } = await startConversation(server, world.carla, 'The walnut bookcase wobbles')
  await post(conversation_id, 'The walnut stool stands', as.carla)
  expect(await bodies('waln')).toEqual(['The walnut stool stands', 'The walnut bookcase wobbles'])
  expect(await bodies('book waln')).toEqual(['The walnut bookcase wobbles'])
  expect(await bodies('alnut')).toEqual([])
  expect(await bodies('walnut table')).toEqual([])
})

test.for([
  ['Thai', 'สวัสดีครับ ผมอยากคืนสินค้าที่ซื้อเมื่อวาน', 'สินค้า', 'สินค้าปลอม'],
  ['Thai, with a letter twice,', 'สวัสดีครับคุณ', 'สวัสดี', 'สวัสดิ์'],
  ['Lao', 'ຂ້ອຍຢາກສົ່ງສິນຄ້າຄືນ', 'ສິນຄ້າ', 'ສິນໄໝ'],
  ['Khmer', 'ខ្ញុំចង់ប្រគល់ទំនិញវិញ។', 'ទំនិញ', 'ទំនាក់'],
  ['Burmese', 'ကျွန်တော်ပစ္စည်းပြန်ပေးချင်ပါတယ်။', 'ပစ္စည်း', 'ပစ္စုပ္ပန်'],
  ['Chinese', '我想看看退货', '看看退货', '看看退款'],
  ['Japanese', '商品を返品したいです', '返品', '返金'],
] as const)(
  'a word inside a sentence of %s is found and marked',
  async ([, sentence, word, other], { world, server, find }) => {
    await startConversation(server, world.carla, sentence)
    const [hit] = await find(word)
    const { text, ranges } = hit!.message!.excerpt
    expect(text).toBe(sentence)
    expect(ranges.map(({ start, end }) => text.slice(start, end))).toEqual([word])
    expect(await find(other)).toEqual([])
  },
)

test('of more than ten words the first ten count, and repeated ones once', async ({ world, server, find }) => {
  const { conversation_id } = await startConversation(
    server,
    world.carla,
    'one two three four five six seven eight nine ten',
  )
  const ids = (await find('one two three four five six seven eight nine ten eleven')).map(
    ({ conversation }) => conversation.id,
  )
  expect(ids).toEqual([conversation_id])
  const again = await find(`${'one '.repeat(60)} eleven`)
  expect(again, 'the eleventh word, and only the second').toEqual([])
})

test('a quoted phrase is found exactly, and a number with a dash as one word', async ({
  as,
  world,
  server,
  post,
  bodies,
}) => {
  const { conversation_id } = await startConversation(server, world.carla, 'blue kettle, red lid, order QX-20417')
  await post(conversation_id, 'red kettle, blue lid, order QX-20999', as.carla)
  expect(await bodies('"blue kettle"')).toEqual(['blue kettle, red lid, order QX-20417'])
  expect(await bodies('"blue kett"')).toEqual([])
  expect(await bodies('qx-204')).toEqual(['blue kettle, red lid, order QX-20417'])
  expect(await bodies('"kettle red"')).toEqual(['blue kettle, red lid, order QX-20417'])
  await post(conversation_id, 'part 1-2-3-4-5-6-7-8-9-1042', as.carla)
  expect(await bodies('1-2-3-4-5-6-7-8-9-10'), 'of ten words').toEqual(['part 1-2-3-4-5-6-7-8-9-1042'])
})

test('numbers with letters are found and marked, also those that begin like 4e6', async ({ server, world, find }) => {
  await startConversation(server, world.carla, 'Where is my parcel 4e6a91?')
  for (const typed of ['4e6a91', '4e6', '4e6a9', '"4e6a91"']) {
    const [hit] = await find(typed)
    const { text, ranges } = hit!.message!.excerpt
    const marked = text.slice(ranges[0]?.start, ranges.at(-1)?.end)
    expect(marked, typed).toBe(typed === '4e6' ? '4e6' : '4e6a91')
  }
  expect(await find('"4e6a9"')).toEqual([])
  expect(await find('e6a91')).toEqual([])
})

test('a word longer than any that is stored finds nothing', async ({ page }) => {
  // Each of these letters is stored as three, of three bytes each.
  expect(await page('한'.repeat(300))).toEqual({ data: [], next: null })
})

test('a hit has its conversation with the customer, the message and the ranges of its words', async ({
  world,
  server,
  find,
}) => {
  const { conversation_id } = await startConversation(
    server,
    world.carla,
    `${'Blah '.repeat(90)}the crème brûlée ${'yes '.repeat(90)}`,
  )
  const [hit] = await find('creme brulee')
  expect(hit).toMatchObject({
    matched: 'message',
    conversation: {
      id: conversation_id,
      object: 'conversation',
      customer: { id: world.carla.customer_id, name: 'Carla' },
    },
    message: { number: 1, customer_id: world.carla.customer_id, private: false },
  })
  const { text, ranges } = hit!.message!.excerpt
  expect(ranges.map(({ start, end }) => text.slice(start, end))).toEqual(['crème', 'brûlée'])
  expect(text).toMatch(/^….*…$/)
  expect(text.length).toBeLessThan(250)
})

test('the excerpt of a formatted message is what people read, and that of a customer is as they typed it', async ({
  world,
  server,
  post,
  find,
}) => {
  const { conversation_id } = await startConversation(server, world.carla, 'My folder is C:\\_zebra\\*')
  await post(
    conversation_id,
    '## Zebra\n\nThe **zebra crossing** is at [the shop](https://shop.example/a), see `zebra.js`',
  )
  const excerpts = (await find('zebra')).map((hit) => hit.message!.excerpt)
  expect(excerpts.map(({ text }) => text)).toEqual([
    'Zebra\n\nThe zebra crossing is at the shop (https://shop.example/a), see zebra.js',
    'My folder is C:\\_zebra\\*',
  ])
  expect(excerpts[0]!.ranges.map(({ start, end }) => excerpts[0]!.text.slice(start, end))).toEqual([
    'Zebra',
    'zebra',
    'zebra',
  ])
})

test('a customer’s name or e-mail, or a subject, finds the conversation with its newest message', async ({
  world,
  server,
  post,
  find,
  change,
}) => {
  const minh = await startVisitor(server, world.acme.id, { name: 'Nguyễn Minh', email: 'minh.n@lotus.test' })
  const { conversation_id } = await startConversation(server, minh, 'Chào shop')
  await post(conversation_id, 'Good morning')
  for (const q of ['nguyen', 'minh.n@lot', 'lotus minh']) {
    expect(await find(q), q).toMatchObject([
      {
        matched: 'customer',
        conversation: { id: conversation_id },
        message: { number: 2, excerpt: { text: 'Good morning' } },
      },
    ])
  }
  await change(conversation_id, { subject: 'Hóa đơn điện tử' })
  expect(await find('hoa don dien tu')).toMatchObject([{ matched: 'subject', conversation: { id: conversation_id } }])
  await change(conversation_id, { subject: 'Something else' })
  expect(await find('hoa don dien tu')).toEqual([])
})

test('a conversation is listed once if both its customer and its newest message match', async ({
  world,
  server,
  find,
}) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Zebulon' })
  const { message } = await startConversation(server, visitor, 'Zebulon here')
  expect((await find('zebulon')).map((hit) => [hit.matched, hit.message?.id])).toEqual([['message', message.id]])
})

test('from: finds what a customer, an agent or oneself wrote', async ({ as, world, server, post, bodies }) => {
  const dora = await startVisitor(server, world.acme.id, { name: 'Dora Pelican', email: 'dora@sea.test' })
  const { conversation_id } = await startConversation(server, dora, 'ospreys are gone')
  await post(conversation_id, 'ospreys return in spring')
  await post(conversation_id, 'ospreys indeed', as.ben)
  const melba = await startVisitor(server, world.acme.id, { name: 'Me Toothless' })
  await startConversation(server, melba, 'what ospreys')
  expect(await bodies('ospreys from:dora')).toEqual(['ospreys are gone'])
  expect(await bodies('ospreys from:"dora pel"')).toEqual(['ospreys are gone'])
  expect(await bodies('ospreys from:dora@sea')).toEqual(['ospreys are gone'])
  expect(await bodies('ospreys from:me')).toEqual(['ospreys return in spring'])
  expect(await bodies('ospreys from:me', as.ben)).toEqual(['ospreys indeed'])
  expect(await bodies('from:ben ospreys')).toEqual(['ospreys indeed'])
  expect(await bodies('from:dora')).toEqual(['ospreys are gone'])
  expect(await bodies('ospreys from:nobodyatall')).toEqual([])
})

test('tag:, inbox:, assignee: and status: narrow a search to such conversations, or list them', async ({
  as,
  world,
  server,
  change,
  bodies,
  find,
}) => {
  const { conversation_id: mine } = await startConversation(server, world.carla, 'heron one', world.billing.id)
  const { conversation_id: other } = await startConversation(server, world.carla, 'heron two')
  await change(mine, { assignee_id: world.ben.id, status: 'closed' })
  const tag_id = randomUUID()
  await sql`insert into tags (account_id, id, name) values (${world.acme.id}, ${tag_id}, 'Very important')`.execute(
    server.context.db,
  )
  await sql`insert into conversation_tags (account_id, conversation_id, tag_id) values (${world.acme.id}, ${mine}, ${tag_id})`.execute(
    server.context.db,
  )
  const operators = ['tag:very', 'tag:"very imp"', 'inbox:bill', 'assignee:ben', 'status:closed']
  for (const operator of operators) expect(await bodies(`heron ${operator}`), operator).toEqual(['heron one'])
  for (const operator of ['status:open', 'assignee:nobody', 'assignee:none OR', 'tag:other']) {
    const expected = operator.startsWith('assignee:none') || operator === 'tag:other' ? [] : ['heron two']
    expect(await bodies(`heron ${operator}`), operator).toEqual(expected)
  }
  expect(await bodies('heron assignee:me', as.ben)).toEqual(['heron one'])
  expect(await bodies('heron status:open status:closed')).toEqual([])
  expect(await find('tag:very')).toMatchObject([
    { matched: 'conversation', conversation: { id: mine }, message: { excerpt: { text: 'heron one' } } },
  ])
  expect((await find('assignee:nobody')).map((hit) => hit.conversation.id)).toContain(other)
})

test('before: and after: go by the days of the account’s time zone; after includes its day, before does not', async ({
  world,
  server,
  bodies,
}) => {
  await server.context.db
    .updateTable('accounts')
    .set({ time_zone: 'Asia/Ho_Chi_Minh' })
    .where('id', '=', world.acme.id)
    .execute()
  const { message } = await startConversation(server, world.carla, 'the calendar goose')
  // 2 January, 1 a.m. in Vietnam.
  await sql`update messages set created_at = '2026-01-01T18:00:00Z' where id = ${message.id}`.execute(server.context.db)
  await sql`update message_words set created_at = '2026-01-01T18:00:00Z' where message_id = ${message.id}`.execute(
    server.context.db,
  )
  const goose = async (q: string) => (await bodies(`calendar goose ${q}`)).length
  expect(await goose('after:2026-01-02')).toBe(1)
  expect(await goose('after:2026-01-03')).toBe(0)
  expect(await goose('before:2026-01-03')).toBe(1)
  expect(await goose('before:2026-01-02')).toBe(0)
  expect(await goose('after:2026-01-03 before:2026-01-02')).toBe(0)
})

test('has:file finds the messages that carry a file', async ({ as, world, server, post, bodies }) => {
  const { conversation_id, message } = await startConversation(server, world.carla, 'file under pelican')
  await post(conversation_id, 'no pelican enclosed', as.carla)
  const file_id = randomUUID()
  await sql`insert into files (account_id, id, key, filename, content_type, size)
    values (${world.acme.id}, ${file_id}, 'k', 'pelican.png', 'image/png', 1)`.execute(server.context.db)
  await sql`insert into message_files (account_id, message_id, file_id, position)
    values (${world.acme.id}, ${message.id}, ${file_id}, 0)`.execute(server.context.db)
  expect(await bodies('pelican has:file')).toEqual(['file under pelican'])
  expect(withoutBystanders(await bodies('has:file'))).toEqual(['file under pelican'])
})

test('private notes are found by the team, and by nobody else', async ({ as, world, server, post, find }) => {
  const { conversation_id } = await startConversation(server, world.carla, 'hello again')
  await post(conversation_id, 'secret marzipan', as.ada, { type: 'note' })
  expect(await find('marzipan')).toMatchObject([{ message: { private: true, type: 'note' } }])
  expect(await find('marzipan', as.olga)).toEqual([])
  await expect(as.carla(search.find, { query: { q: 'marzipan' } })).rejects.toMatchObject({ status: 401 })
})

test('archived conversations are not found until they are restored', async ({
  as,
  world,
  server,
  post,
  find,
  change,
  bodies,
}) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Ottoline' })
  const { conversation_id } = await startConversation(server, visitor, 'the velvet curtain')
  await as.ada(conversations.archive, { params: { id: conversation_id } })
  await post(conversation_id, 'velvet once more')
  expect([...(await find('velvet')), ...(await find('ottoline')), ...(await find('from:ottoline'))]).toEqual([])
  await change(conversation_id, { archived_at: null })
  expect(await bodies('velvet')).toEqual(['velvet once more', 'the velvet curtain'])
})

test('exactly the messages of conversations that are not archived are found', async ({ world, server }) => {
  await sql`delete from messages where id in (select id from messages where customer_id = ${world.carla.customer_id} order by id limit 3)`.execute(
    server.context.db,
  )
  await sql`update messages set body = 'rewritten entirely' where id = (select id from messages where customer_id = ${world.carla.customer_id} order by id limit 1)`.execute(
    server.context.db,
  )
  const { rows } = await sql`
    select coalesce(m.id, w.message_id) as id from message_words w
    full join (select m.* from messages m join conversations c using (account_id) where c.id = m.conversation_id and c.archived_at is null) m
      on m.account_id = w.account_id and m.id = w.message_id and words_of(m.body) = w.words
    where m.id is null or w.message_id is null`.execute(server.context.db)
  expect(rows).toEqual([])
})

test('pages follow each other without gap or double, newest first', async ({ as, world, server, post, page }) => {
  for (let i = 0; i < 3; i++) {
    const { conversation_id } = await startConversation(
      server,
      await startVisitor(server, world.acme.id, { name: 'Quillon' }),
      `quill ${i}`,
    )
    for (let n = 0; n < 3; n++) await post(conversation_id, `quill ${i} ${n}`, as.ben)
    await post(conversation_id, `nothing ${i}`)
  }
  const seen: SearchHit[] = []
  let next: string | null | undefined
  for (let pages = 0; next !== null && pages < 20; pages++) {
    const answer: Answer<typeof search.find> = await page('quill', as.ada, { limit: 2, after: next })
    expect(answer.data.length).toBeLessThanOrEqual(2)
    seen.push(...answer.data)
    next = answer.next
  }
  expect(next).toBe(null)
  expect(seen.filter((hit) => hit.matched === 'message')).toHaveLength(12)
  expect(seen.filter((hit) => hit.matched === 'customer')).toHaveLength(3)
  expect(new Set(seen.map((hit) => hit.message?.id)).size).toBe(15)
  const times = seen.filter((hit) => hit.matched === 'message').map((hit) => hit.message!.created_at)
  expect(times).toEqual([...times].sort().reverse())
})

test('a search without words or operators returns nothing, and an invalid cursor is refused', async ({ as, page }) => {
  for (const q of ['', '   ', '!!!', '""', '😊', '::']) expect(await page(q), q).toEqual({ data: [], next: null })
  for (const after of ['x', Buffer.from('2026-13-45T00:00:00.000Z x').toString('base64url')]) {
    await expect(page('a', as.ada, { after })).rejects.toMatchObject({ status: 400 })
  }
})

test('any input returns a page', async ({ page }) => {
  const piece = fc.oneof(
    fc.constantFrom(
      'from:',
      'tag:x',
      'inbox:"',
      'assignee:me',
      'assignee:nobody',
      'status:open',
      'before:2026-01-01',
      "'",
      '\\',
      '&',
      '|',
      '!',
      '(',
      ':*',
      '<->',
      '"',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.toWellFormed().replaceAll('\u0000', '')),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 5 }), async (pieces) => {
      await page(pieces.join(' '))
    }),
    { numRuns: 150, seed: 20_261_121 },
  )
})

test('the browser splits text into the same words as the database', async ({ server }) => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.lorem({ maxCount: 6 }),
    fc
      .array(fc.constantFrom(...'aăâđeêioôơuưạảấầẫậặẽểỉịọốộờởỡụứữựỳỷÀĐŨ ,.-_@/#😊ßøÆłς東京がПриสินค้ำ่ុំ។ງ့်က،।'), {
        maxLength: 20,
      })
      .map((signs) => signs.join('')),
    // Hexadecimal numbers, as in order numbers: PostgreSQL reads some beginnings as `1e5`.
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 1, maxLength: 12 }),
  )
  await fc.assert(
    fc.asyncProperty(text, async (input) => {
      const clean = input.toWellFormed().replaceAll('\u0000', '')
      const { rows } = await sql<{ stored: string[] }>`select array(
          select word.lexeme from unnest(words_of(${clean})) word, unnest(word.positions) position order by position
        ) as stored`.execute(server.context.db)
      expect(foldWords(clean).map(({ word }) => word)).toEqual(rows[0]!.stored)
    }),
    { numRuns: 500, seed: 20_261_121 },
  )
})

test('a thread opens around a hit and continues in both directions', async ({ as, world, server, post }) => {
  const { conversation_id } = await startConversation(server, world.carla, '1')
  for (let i = 2; i <= 12; i++) await post(conversation_id, `${i}`, as.carla)
  const read = async (query: QueryInput<typeof messages.list>) => {
    const { data, next, previous } = await as.ada(messages.list, { query: { conversation_id, limit: 4, ...query } })
    return { numbers: data.map((message) => message.number), next, previous }
  }
  expect(await read({ around: 6 })).toEqual({ numbers: [8, 7, 6, 5], next: 5, previous: 8 })
  expect(await read({ before: 5 })).toEqual({ numbers: [4, 3, 2, 1], next: null, previous: 4 })
  expect(await read({ after: 8 })).toEqual({ numbers: [12, 11, 10, 9], next: 9, previous: null })
  expect(await read({ around: 1 })).toEqual({ numbers: [3, 2, 1], next: null, previous: 3 })
  expect(await read({ around: 12 })).toEqual({ numbers: [12, 11, 10, 9], next: 9, previous: null })
  expect(await read({ around: 999 })).toEqual({ numbers: [12, 11, 10, 9], next: 9, previous: null })
  expect(await read({})).toEqual({ numbers: [12, 11, 10, 9], next: 9, previous: null })
})
