import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import sharp from 'sharp'
import { messages } from '#contract/conversations/messages.ts'
import { articleCollections } from '#contract/help/article-collections.ts'
import { articles } from '#contract/help/articles.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const test = base
  .extend('upload', ({ server, world }) => async (files: Record<string, string | Uint8Array>) => {
    const form = new FormData()
    const entries = Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? strToU8(content) : content,
    ])
    const bytes = zipSync(Object.fromEntries(entries))
    form.append('file', new Blob([Buffer.from(bytes)]), 'articles.zip')
    const answer = await fetch(`${server.url}/api/articles/import`, {
      method: 'POST',
      headers: { authorization: world.ben.token },
      body: form,
    })
    return { status: answer.status, body: await answer.json() }
  })
  .extend('unpack', ({ server, world }) => async () => {
    const answer = await fetch(`${server.url}/api/articles/export`, { headers: { authorization: world.ben.token } })
    expect(answer.headers.get('content-type')).toBe('application/zip')
    return unzipSync(new Uint8Array(await answer.arrayBuffer()))
  })
  .extend('download', ({ unpack }) => async () => {
    const files = Object.entries(await unpack()).filter(([path]) => path.endsWith('.md'))
    return Object.fromEntries(files.map(([path, bytes]) => [path, strFromU8(bytes)]))
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
    const collection = data.find((candidate) => candidate.slug === slug)!
    return data.find(({ id }) => id === collection.parent_id)?.slug ?? null
  }
  expect([parentOf('furniture'), parentOf('oiled-oak')]).toEqual([null, 'furniture'])
  // Nesting ends after one level, so a collection in a nested one is beside it.
  expect(parentOf('waxed')).toBe('furniture')
  const paths = Object.keys(await download())
  expect(paths).toContain('en/furniture/oiled-oak/oiling.md')
  expect(paths).toContain('en/furniture/waxed/waxing.md')
})

test('pictures that articles link are imported with them once, exported, and known again', async ({
  as,
  server,
  upload,
  unpack,
}) => {
  const picture = async (background: string) =>
    new Uint8Array(
      await sharp({ create: { width: 60, height: 40, channels: 3, background } })
        .jpeg()
        .toBuffer(),
    )
  const teal = await picture('teal')
  const folder = {
    'guide/en/lamps/wiring.md':
      '# Wiring\n\n![Plug](../../pics/the%20plug.jpg) and [a plan](<plan.txt>), [gone](x.png)',
    'guide/en/lamps/bulbs.md':
      '# Bulbs\n\n![Plug](../../pics/the%20plug.jpg "Plug") ![](https://a.test/b.png) ![](../../../../etc/c.png)',
    'guide/pics/the plug.jpg': teal,
    'guide/pics/unused.jpg': teal,
    'guide/en/lamps/plan.txt': '<script>alert(1)</script>',
  }
  expect((await upload(folder)).body.data).toMatchObject({ created: 2, problems: [] })
  const bodyOf = async (title: string) => {
    const { data } = await as.ben(articles.list, { query: { q: title } })
    const article = data.find(({ translations }) => translations[0]!.title === title)!
    return (await as.ben(articles.get, { params: { id: article.id } })).data.translations[0]!.body
  }
  const wiring = await bodyOf('Wiring')
  const [, plug, plan] =
    /!\[Plug\]\((\S+\/the-plug\.jpg)\) and \[a plan\]\(<(\S+\/plan\.txt)>\), \[gone\]\(x\.png\)$/.exec(wiring)!
  expect(await bodyOf('Bulbs')).toBe(`![Plug](${plug} "Plug") ![](https://a.test/b.png) ![](../../../../etc/c.png)`)
  const load = async (address: string) => fetch(server.url + new URL(address).pathname)
  expect((await load(plug!)).headers.get('content-type')).toBe('image/jpeg')
  expect((await load(plan!)).headers.get('content-type')).toBe('text/plain')
  expect((await upload(folder)).body.data).toMatchObject({ updated: 0, unchanged: 2, problems: [] })

  const exported = await unpack()
  const name = plug!.split('/files/')[1]!
  expect(strFromU8(exported['en/lamps/wiring.md']!)).toContain(`![Plug](../../files/${name})`)
  expect(Object.keys(exported).filter((path) => path.endsWith('the-plug.jpg'))).toEqual([`files/${name}`])
  const own = Object.fromEntries(Object.entries(exported).filter(([path]) => /^(en\/lamps|files)\//.test(path)))
  expect((await upload(own)).body.data).toMatchObject({ updated: 0, unchanged: 2, problems: [] })
  const texts = Object.fromEntries(Object.entries(own).filter(([path]) => path.endsWith('.md')))
  expect((await upload(texts)).body.data).toMatchObject({ updated: 0, unchanged: 2, problems: [] })
  const other = { ...own, [`files/${name}`]: await picture('crimson') }
  expect((await upload(other)).body.data).toMatchObject({ updated: 2, problems: [] })
  expect(await bodyOf('Wiring')).not.toContain(name)
})

test('a linked file that is too large is named, and the article is imported without it', async ({ upload }) => {
  const { body } = await upload({ 'en/huge.md': '# Huge\n\n![](huge.png)', 'en/huge.png': new Uint8Array(8_000_001) })
  expect(body.data).toMatchObject({
    created: 1,
    problems: [{ file: 'en/huge.png', problem: 'It is larger than 8 MB.' }],
  })
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
