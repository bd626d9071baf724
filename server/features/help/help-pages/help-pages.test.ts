import { request as httpRequest } from 'node:http'
import { erasure } from '#contract/customers/erasure.ts'
import { articleCollections } from '#contract/help/article-collections.ts'
import { helpGaps } from '#contract/help/article-feedback.ts'
import { articles } from '#contract/help/articles.ts'
import { helpCenter } from '#contract/help/help-center.ts'
import { publicArticles } from '#contract/help/public-articles.ts'
import { startDnsServer } from '#tests/emulators/dns-server.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const dns = await startDnsServer()

const test = base
  .extend('env', { scope: 'file' }, { DNS_SERVERS: dns.address })
  .extend('center', { scope: 'file' }, async ({ as, world }) => {
    const help_center = {
      ...{ is_published: true, slug: 'acme-pages', name: 'Acme <Help>', languages: ['en', 'de', 'ar'] },
      ...{ domain: 'help.acme.test', contact_email: 'hi@acme.test' },
      legal_links: [{ label: 'Imprint', url: 'https://acme.test/imprint' }],
    }
    await as.ada(helpCenter.update, { body: { help_center } })
    dns.texts.set('_parley.help.acme.test', [`parley-account=${world.acme.id}`])
    await as.ada(helpCenter.checkDomain)
    return '/help/acme-pages'
  })
  .extend('publish', ({ as, center: _ }) => async (title: string, body: string, more: object = {}) => {
    const article = { language: 'en', title, body, ...more }
    const { data } = await as.ben(articles.create, { body: { article } })
    const params = { id: data.id, language: 'en' }
    return (await as.ben(articles.publish, { params, body: {} })).data
  })
  /** Asks for a page by path and host, without following redirects. */
  .extend(
    'get',
    ({ server }) =>
      (path: string, { host, method = 'GET', form, ...headers }: Record<string, string> = {}) => {
        const { port } = new URL(server.url)
        return new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>(
          (resolve, reject) => {
            const sent = httpRequest(
              {
                ...{ port, path, method, host: '127.0.0.1' },
                headers: {
                  ...headers,
                  ...(host && { host }),
                  ...(form !== undefined && {
                    'content-type': 'application/x-www-form-urlencoded',
                    'content-length': String(Buffer.byteLength(form)),
                  }),
                },
              },
              async (response) => {
                let text = ''
                for await (const part of response) text += part
                resolve({ status: response.statusCode!, text, headers: response.headers })
              },
            )
            sent.on('error', reject)
            sent.end(form)
          },
        )
      },
  )

test.afterAll(() => dns.close())

test('a published article is a page of plain HTML, with its addresses for search engines and without any script', async ({
  publish,
  get,
  center,
}) => {
  await publish('How do I return "a lamp"?', 'Pack it. ', { summary: 'Within 30 days.' })
  const page = await get(`${center}/en/articles/how-do-i-return-a-lamp`)
  expect(page.status).toBe(200)
  expect(page.text).toContain('<title>How do I return &quot;a lamp&quot;? – Acme &lt;Help&gt;</title>')
  expect(page.text).toContain('<link rel="canonical" href="https://help.acme.test/en/articles/how-do-i-return-a-lamp">')
  expect(page.text).toContain('<meta name="description" content="Within 30 days.">')
  expect(page.text).toContain('https://acme.test/imprint')
  expect(page.text).toContain('mailto:hi@acme.test')
  expect(page.text.replace(/<script type="application\/ld\+json">[^<]*<\/script>/g, '')).not.toContain('<script')
  expect(page.headers['content-security-policy']).not.toContain('script-src')
  expect(page.headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=600')
  expect(page.text.length).toBeLessThan(30_000)
  const again = await get(`${center}/en/articles/how-do-i-return-a-lamp`, {
    'if-none-match': String(page.headers.etag),
  })
  expect(again).toMatchObject({ status: 304, text: '' })
})

test('drafts and withdrawn articles are not found, and another text is on the page as soon as it is published', async ({
  as,
  publish,
  get,
  center,
}) => {
  const article = await publish('Opening hours', 'From nine.')
  const path = `${center}/en/articles/opening-hours`
  const params = { id: article.id, language: 'en' }
  await as.ada(articles.saveDraft, { params, body: { translation: { title: 'Opening hours', body: 'From ten.' } } })
  expect((await get(path)).text).toContain('From nine.')
  await as.ada(articles.publish, { params, body: {} })
  await expect.poll(async () => (await get(path)).text).toContain('From ten.')
  await as.ada(articles.unpublish, { params })
  await expect.poll(async () => (await get(path)).status).toBe(410)
  expect((await get(`${center}/en/articles/never-written`)).status).toBe(404)
  expect((await get('/help/nobody/en')).status).toBe(404)
})

test('an old address leads to the new one', async ({ as, publish, get, center }) => {
  const article = await publish('Old name', 'Text')
  const params = { id: article.id, language: 'en' }
  const translation = { title: 'New name', body: 'Text', slug: 'new-name' }
  await as.ben(articles.saveDraft, { params, body: { translation } })
  await as.ben(articles.publish, { params, body: {} })
  await expect.poll(async () => (await get(`${center}/en/articles/old-name`)).status).toBe(301)
  expect((await get(`${center}/en/articles/old-name`)).headers.location).toBe(`${center}/en/articles/new-name`)
})

test('an article that is missing in the reader’s language is shown in the default language, and so marked', async ({
  as,
  publish,
  get,
  center,
}) => {
  const article = await publish('Gift cards', 'They never expire.')
  const other = await get(`${center}/ar/articles/gift-cards`)
  expect(other.status).toBe(200)
  expect(other.text).toContain('<html lang="ar" dir="rtl">')
  expect(other.text).toContain('<article lang="en" dir="ltr">')
  expect(other.text).not.toContain('hreflang="ar" href="https')
  const german = { id: article.id, language: 'de' }
  const translation = { title: 'Gutscheine', body: 'Sie verfallen nie.' }
  await as.ben(articles.saveDraft, { params: german, body: { translation } })
  await as.ben(articles.publish, { params: german, body: {} })
  await expect.poll(async () => (await get(`${center}/de/articles/gift-cards`)).status).toBe(301)
  const page = await get(`${center}/de/articles/gutscheine`)
  expect(page.text).toContain('hreflang="en" href="https://help.acme.test/en/articles/gift-cards"')
  expect(page.text).toContain('hreflang="x-default" href="https://help.acme.test/en/articles/gift-cards"')
  const map = await get(`${center}/sitemap.xml`)
  expect(map.text).toContain('<loc>https://help.acme.test/de/articles/gutscheine</loc>')
  expect((await get(`${center}/de/feed.xml`)).text).toContain('<title>Gutscheine</title>')
})

test('a collection inside another one is reached through it, and both are in the way back and in the sitemap', async ({
  as,
  publish,
  get,
  center,
}) => {
  const create = async (name: string, parent_id?: string) => {
    const collection = { texts: { en: { name, description: '' } }, ...(parent_id && { parent_id }) }
    return (await as.ben(articleCollections.create, { body: { collection } })).data
  }
  const around = await create('Furniture care')
  const inside = await create('Oiled oak', around.id)
  await create('Nothing in it', around.id)
  await publish('Oiling a table', 'Use a cloth.', { collection_id: inside.id })
  const link = (path: string, name: string) => `<a href="${center}/en/${path}">${name}</a>`
  await expect
    .poll(async () => (await get(`${center}/en`)).text)
    .toContain(link('collections/furniture-care', 'Furniture care'))
  expect((await get(`${center}/en`)).text).not.toContain('collections/oiled-oak')
  const outer = await get(`${center}/en/collections/furniture-care`)
  expect(outer.text).toContain(link('collections/oiled-oak', 'Oiled oak'))
  expect(outer.text).not.toContain('Nothing in it')
  expect(outer.text).not.toContain('There are no articles yet.')
  const crumbs = `<li>${link('collections/furniture-care', 'Furniture care')}</li>`
  const inner = await get(`${center}/en/collections/oiled-oak`)
  expect(inner.text).toContain(crumbs)
  expect(inner.text).toContain(link('articles/oiling-a-table', 'Oiling a table'))
  const article = await get(`${center}/en/articles/oiling-a-table`)
  expect(article.text).toContain(`${crumbs}<li>${link('collections/oiled-oak', 'Oiled oak')}</li>`)
  const map = await get(`${center}/sitemap.xml`)
  expect(map.text).toContain('<loc>https://help.acme.test/de/collections/oiled-oak</loc>')
  expect(map.text).not.toContain('nothing-in-it')
  for (const { id } of [around, inside]) await as.ben(articleCollections.remove, { params: { id } })
})

test('on its own host a help center answers, and nothing else does', async ({ publish, get }) => {
  await publish('Own host', 'Text')
  const host = 'help.acme.test'
  const start = await get('/', { host, 'accept-language': 'de-AT,de;q=0.9' })
  expect([start.status, start.headers.location]).toEqual([302, '/de'])
  expect((await get('/en/articles/own-host', { host })).text).toContain('href="/en"')
  expect((await get('/robots.txt', { host })).text).toContain('Sitemap: https://help.acme.test/sitemap.xml')
  for (const path of ['/api/me', '/login', '/widget.js', '/files/x/y']) {
    expect((await get(path, { host })).status, path).toBe(404)
  }
  expect((await get('/help-domains?domain=help.acme.test')).status).toBe(200)
  expect((await get('/help-domains?domain=evil.test')).status).toBe(404)
})

test('search and votes work without a script, and what is missing is listed for authors', async ({
  as,
  world,
  publish,
  get,
  center,
}) => {
  const article = await publish('Cleaning oak', 'Use a damp cloth.')
  const results = await get(`${center}/en/search?q=claening%20the%20oak`)
  expect(results.text).toContain('/en/articles/cleaning-oak')
  await get(`${center}/en/search?q=zebra%20crossing%20a@b.test`)
  const thanks = await get(`${center}/en/articles/cleaning-oak/vote?helpful=no`, { method: 'POST' })
  expect(thanks.text).toContain('Thank you for your answer.')
  await get(`${center}/en/articles/cleaning-oak/vote?helpful=no`, { method: 'POST' })
  const data = withoutBystanders((await as.ben(helpGaps.list)).data)
  expect(data.find(({ kind }) => kind === 'no_hits')).toMatchObject({ words: 'zebra crossing …', count: 1 })
  const gap = data.find(({ kind }) => kind === 'not_helpful')!
  expect(gap).toMatchObject({ article: { id: article.id, title: 'Cleaning oak' }, count: 1 })
  await as.ben(helpGaps.update, { params: { id: gap.id }, body: { gap: { state: 'done' } } })
  const account_id = world.acme.id
  const params = { id: article.id }
  await as.anybody(publicArticles.vote, { params, body: { account_id, is_helpful: false, comment: 'Which cloth?' } })
  const open = await as.ben(helpGaps.list, { query: { kind: 'not_helpful' } })
  expect(withoutBystanders(open.data)[0]).toMatchObject({ count: 1, comments: ['Which cloth?'] })
  expect((await as.ben(articles.get, { params })).data).toMatchObject({ unhelpful_count: 2, helpful_count: 0 })
})

test('who was not helped writes why in a plain form, on both hosts, and changes it by sending another one', async ({
  as,
  publish,
  get,
  center,
}) => {
  const article = await publish('Waxing walnut', 'Rub it in.')
  const path = '/en/articles/waxing-walnut/vote?helpful=no'
  const write = (comment: string, at: string, host?: string) =>
    get(at, { method: 'POST', form: new URLSearchParams({ comment }).toString(), ...(host && { host }) })
  const comments = async () => {
    const { data } = await as.ben(helpGaps.list, { query: { kind: 'not_helpful' } })
    return data.filter((gap) => gap.article?.id === article.id).map((gap) => ({ count: gap.count, of: gap.comments }))
  }
  const thanks = await get(`${center}${path}`, { method: 'POST' })
  expect(thanks.text).toContain(`<form class="comment" method="post" action="${center}${path}">`)
  expect((await get(`${center}${path.replace('=no', '=yes')}`, { method: 'POST' })).text).not.toContain('<textarea')
  const written = await write('Which wax?\r\n<b>', `${center}${path}`)
  expect(written.text).toContain('Thank you. The authors will read it.')
  expect(written.text).not.toContain('<textarea')
  expect(written.headers['set-cookie']).toBeUndefined()
  expect(await comments()).toEqual([{ count: 2, of: ['Which wax?\n<b>'] }])
  const long = await write(`</textarea>${'x'.repeat(1000)}`, `${center}${path}`)
  expect(long.status).toBe(422)
  expect(long.text).toContain('Please shorten this to 1,000 characters.')
  expect(long.text).toContain('&lt;/textarea&gt;xxx')
  expect((await write('x'.repeat(20_000), `${center}${path}`)).status).toBe(413)
  const host = 'help.acme.test'
  expect((await write('Which cloth?', path, host)).text).toContain('Thank you. The authors will read it.')
  expect(await comments()).toEqual([{ count: 2, of: ['Which cloth?'] }])
  expect((await write('x'.repeat(20_000), path, host)).status).toBe(404)
  expect((await write('x', '/api/articles/x/vote', host)).status).toBe(404)
  expect((await write('x', '/api/messages', host)).status).toBe(404)
})

test('a visitor who read an article and wrote anyway is counted, without being named', async ({
  as,
  server,
  world,
  publish,
}) => {
  const article = await publish('Assembly', 'Use the key.')
  const visitor = await startVisitor(server, world.acme.id)
  const query = { account_id: world.acme.id, language: 'fr' }
  const { data } = await as.holder(visitor.token)(publicArticles.get, { params: { id: article.id }, query })
  expect(data).toMatchObject({ language: 'en', html: '<p>Use the key.</p>\n', direction: 'ltr' })
  await startConversation(server, visitor)
  await expect
    .poll(async () => (await as.ben(helpGaps.list, { query: { kind: 'read_then_wrote' } })).data, { timeout: 20_000 })
    .toMatchObject([{ article: { id: article.id }, count: 1 }])
})

test('what a visitor read and voted is erased with them', async ({ as, server, world, publish }) => {
  const { id } = await publish('Lacquer', 'Two thin coats.')
  const visitor = await startVisitor(server, world.acme.id)
  const by = as.holder(visitor.token)
  const { id: account_id } = world.acme
  await by(publicArticles.get, { params: { id }, query: { account_id, language: 'en' } })
  const body = { account_id, is_helpful: false, comment: 'Which lacquer do I need?' }
  await by(publicArticles.vote, { params: { id }, body })
  const comments = async () => {
    const { data } = await as.ben(helpGaps.list, { query: { kind: 'not_helpful' } })
    return data.filter(({ article }) => article?.id === id).flatMap((gap) => gap.comments)
  }
  const unhelpful = async () => (await as.ben(articles.get, { params: { id } })).data.unhelpful_count
  expect([await unhelpful(), await comments()]).toEqual([1, ['Which lacquer do I need?']])
  await as.ada(erasure.erase, { params: { id: visitor.customer_id } })
  await expect.poll(unhelpful, { timeout: 20_000 }).toBe(0)
  expect(await comments()).toEqual([])
  for (const table of ['article_votes', 'article_reads'] as const)
    expect(
      await server.context.db.selectFrom(table).select('article_id').where('article_id', '=', id).execute(),
    ).toEqual([])
})

test('visitors receive a help center only once it is published', async ({ as, world, publish }) => {
  await publish('In the widget', 'Text about widgets')
  const query = { account_id: world.acme.id, q: 'widget' }
  const { data } = await as.anybody(publicArticles.search, { query })
  expect(data[0]).toMatchObject({ title: 'In the widget', url: 'https://help.acme.test/en/articles/in-the-widget' })
  const other = { account_id: world.other.id }
  expect((await as.anybody(publicArticles.search, { query: { ...other, q: 'widget' } })).data).toEqual([])
  await expect(as.anybody(publicArticles.home, { query: other })).rejects.toMatchObject({ status: 404 })
  const { data: home } = await as.anybody(publicArticles.home, { query: { account_id: world.acme.id, language: 'de' } })
  expect(home).toMatchObject({ object: 'public_help_center', language: 'de' })
  expect(withoutBystanders(home.collections)).toEqual([])
})
