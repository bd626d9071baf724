import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { messages } from '#contract/conversations/messages.ts'
import { articleCollections } from '#contract/help/article-collections.ts'
import { articles } from '#contract/help/articles.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const test = base
  .extend('upload', ({ server, world }) => async (files: Record<string, string>) => {
    const form = new FormData()
    const bytes = zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))
    form.append('file', new Blob([Buffer.from(bytes)]), 'articles.zip')
    const answer = await fetch(`${server.url}/api/articles/import`, {
      method: 'POST',
      headers: { authorization: world.ben.token },
      body: form,
    })
    return { status: answer.status, body: await answer.json() }
  })
  .extend('download', ({ server, world }) => async () => {
    const answer = await fetch(`${server.url}/api/articles/export`, { headers: { authorization: world.ben.token } })
    expect(answer.headers.get('content-type')).toBe('application/zip')
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
    return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, strFromU8(bytes)]))
  })

test('a folder of Markdown files is imported as drafts, in its languages and collections', async ({ as, upload }) => {
  const { body } = await upload({
    'docs/en/getting-started/first-steps.md':
      '---\nid: steps\ntitle: "First: steps"\nsummary: Begin here\n---\n\n# Hi\n\nText',
    'docs/de/getting-started/erste-schritte.md': '---\nid: steps\ntitle: Erste Schritte\n---\nText auf Deutsch',
    'en/loose.md': '# A heading is the title\n\nAnd this the text.',
    'en/too-long.md': 'x'.repeat(200_001),
    'picture.png': 'no text',
  })
  expect(body.data).toMatchObject({ created: 2, updated: 1, problems: [{ file: 'en/too-long.md' }] })
  const { data } = await as.ben(articles.list, { query: { q: 'steps' } })
  expect(data).toHaveLength(1)
  const { data: article } = await as.ben(articles.get, { params: { id: data[0]!.id } })
  expect(article.translations).toMatchObject([
    {
      language: 'en',
      title: 'First: steps',
      summary: 'Begin here',
      slug: 'first-steps',
      body: '# Hi\n\nText',
      state: 'draft',
    },
    { language: 'de', title: 'Erste Schritte', slug: 'erste-schritte', body: 'Text auf Deutsch' },
  ])
  const collections = (await as.ben(articleCollections.list)).data
  expect(collections.find(({ id }) => id === article.collection_id)).toMatchObject({
    slug: 'getting-started',
    texts: { en: { name: 'getting started' } },
  })
  const { data: loose } = await as.ben(articles.list, { query: { q: 'heading title' } })
  expect(loose[0]!.translations).toMatchObject([{ title: 'A heading is the title', slug: 'loose' }])
})

test('what was exported is imported again without a change', async ({ as, upload, download }) => {
  const article = { language: 'en', title: 'Quotes "and": colons', summary: "It's", body: 'One\n\n---\n\nTwo' }
  const { data } = await as.ben(articles.create, { body: { article } })
  const files = await download()
  expect(files['en/quotes-and-colons.md']).toContain('title: "Quotes \\"and\\": colons"')
  const own = Object.fromEntries(Object.entries(files).filter(([, text]) => text.includes(data.id)))
  expect((await upload(own)).body.data).toMatchObject({ created: 0, updated: 0, unchanged: 1, problems: [] })
  expect((await as.ben(articles.get, { params: { id: data.id } })).data.translations[0]!.version).toBe(1)
})

test('a folder in a folder is a collection inside another one, and is exported as such', async ({
  as,
  upload,
  download,
}) => {
  const { body } = await upload({
    'en/furniture/oiled-oak/oiling.md': '# Oiling\n\nUse a cloth.',
    'en/oiled-oak/waxed/waxing.md': '# Waxing\n\nRub it in.',
  })
  expect(body.data).toMatchObject({ created: 2, problems: [] })
  const { data } = await as.ben(articleCollections.list)
  const parentOf = (slug: string) => {
    const collection = data.find((one) => one.slug === slug)!
    return data.find(({ id }) => id === collection.parent_id)?.slug ?? null
  }
  expect([parentOf('furniture'), parentOf('oiled-oak')]).toEqual([null, 'furniture'])
  // Nesting ends after one level, so a collection in a nested one is beside it.
  expect(parentOf('waxed')).toBe('furniture')
  const paths = Object.keys(await download())
  expect(paths).toContain('en/furniture/oiled-oak/oiling.md')
  expect(paths).toContain('en/furniture/waxed/waxing.md')
})

test('what is no zip of Markdown files is refused with a sentence', async ({ upload, server, world }) => {
  expect((await upload({ 'a.txt': 'x' })).body.error.message).toContain('contains no Markdown files')
  const form = new FormData()
  form.append('file', new Blob(['no zip']), 'articles.zip')
  const headers = { authorization: world.ben.token }
  const answer = await fetch(`${server.url}/api/articles/import`, { method: 'POST', headers, body: form })
  expect(answer.status).toBe(422)
})

test('an article made of a conversation has question and answers, and not who the customer is', async ({
  as,
  server,
  world,
}) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Dora Reyes', email: 'dora@customer.test' })
  const question = 'Hi, Dora Reyes here (dora@customer.test, +49 170 1234567). How do I clean oak?'
  const { conversation_id } = await startConversation(server, visitor, question)
  const post = (body: string, more: object = {}) =>
    as.ben(messages.create, { body: { message: { conversation_id, body, ...more } } })
  await post('Hello Dora, use a **damp** cloth.')
  await post('A secret note', { private: true, type: 'note' })
  const { data } = await as.ben(articles.fromConversation, { body: { conversation_id } })
  const [draft] = data.translations
  expect(draft).toMatchObject({ language: 'en', state: 'draft' })
  expect(draft!.body).toBe('> Hi, […] here ([…@…], [000]). How do I clean oak?\n\nHello […], use a **damp** cloth.')
  expect(draft!.title).not.toContain('Dora')
  await expect(as.olga(articles.fromConversation, { body: { conversation_id } })).rejects.toMatchObject({ status: 404 })
})
