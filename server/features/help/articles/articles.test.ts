import { articleCollections } from '#contract/help/article-collections.ts'
import { articles } from '#contract/help/articles.ts'
import { helpCenter } from '#contract/help/help-center.ts'
import { bystandersMayChange } from '#tests/support/bystanders/watched.ts'
import { expect, test } from '#tests/support/fixture.ts'

const draft = (title: string, body = 'Some *text*.') => ({ body: { article: { language: 'en', title, body } } })

test('an article is written as a draft, published, changed beside what is published, and withdrawn', async ({ as }) => {
  await as.ada(helpCenter.update, { body: { help_center: { is_published: true, slug: 'acme-articles' } } })
  const { data: created } = await as.ben(articles.create, draft('Wie zahle ich Größeres?'))
  const [first] = created.translations
  expect(first).toMatchObject({ state: 'draft', slug: 'wie-zahle-ich-grosseres', url: null, version: 1 })
  const params = { id: created.id, language: 'en' }
  const { data: published } = await as.ben(articles.publish, { params, body: { version: 1 } })
  expect(published.translations[0]).toMatchObject({ state: 'published', version: 1 })
  expect(published.translations[0]!.url).toMatch(/\/help\/acme-articles\/en\/articles\/wie-zahle-ich-grosseres$/)
  const translation = { title: 'Another title', body: 'New', version: 1 }
  const { data: changed } = await as.ada(articles.saveDraft, { params, body: { translation } })
  expect(changed.translations[0]).toMatchObject({ state: 'changed', version: 2, slug: 'wie-zahle-ich-grosseres' })
  const { data: withdrawn } = await as.ben(articles.unpublish, { params })
  expect(withdrawn.translations[0]).toMatchObject({
    state: 'draft',
    url: null,
    published_at: null,
    title: 'Another title',
  })
})

test('an author who has not seen the newest draft is told what somebody else wrote', async ({ as }) => {
  const { data } = await as.ben(articles.create, draft('Returns'))
  const params = { id: data.id, language: 'en' }
  const save = (who: 'ada' | 'ben', body: string, version: number) =>
    as[who](articles.saveDraft, { params, body: { translation: { title: 'Returns', body, version } } })
  await save('ada', 'of Ada', 1)
  await expect(save('ben', 'of Ben', 1)).rejects.toMatchObject({
    status: 409,
    body: { data: { body: 'of Ada', version: 2 } },
  })
  await expect(as.ben(articles.publish, { params, body: { version: 1 } })).rejects.toMatchObject({ status: 409 })
  await save('ben', 'of both', 2)
})

test('what was published stays as revisions and can be made the draft again', async ({ as }) => {
  const { data } = await as.ben(articles.create, draft('Delivery', 'first'))
  const params = { id: data.id, language: 'en' }
  await as.ben(articles.publish, { params, body: {} })
  await as.ada(articles.saveDraft, { params, body: { translation: { title: 'Delivery', body: 'second' } } })
  await as.ada(articles.publish, { params, body: {} })
  const { data: revisions } = await as.ben(articles.revisions, { params })
  expect(revisions.map(({ number, is_current, user_id }) => [number, is_current, typeof user_id])).toEqual([
    [2, true, 'number'],
    [1, false, 'number'],
  ])
  const old = { params: { id: revisions[1]!.id } }
  expect((await as.ben(articles.revision, old)).data).toMatchObject({ body: 'first', html: '<p>first</p>\n' })
  const { data: restored } = await as.ben(articles.restore, old)
  expect(restored.translations[0]).toMatchObject({ body: 'first', state: 'changed' })
})

test('a language may be added, and only the last one has to stay', async ({ as }) => {
  const { data } = await as.ben(articles.create, draft('Colours'))
  const german = { id: data.id, language: 'de' }
  const translation = { title: 'Farben', body: 'Text', version: 0 }
  const { data: saved } = await as.ben(articles.saveDraft, { params: german, body: { translation } })
  expect(saved.translations.map(({ language }) => language)).toEqual(['en', 'de'])
  await as.ben(articles.removeTranslation, { params: german })
  const last = as.ben(articles.removeTranslation, { params: { id: data.id, language: 'en' } })
  await expect(last).rejects.toMatchObject({ status: 422 })
})

test('articles are listed by collection in its order, by state, and by words of their drafts', async ({ as }) => {
  const texts = { en: { name: 'Orders' }, de: { name: 'Bestellungen', description: 'Alles dazu' } }
  const { data: collection } = await as.ben(articleCollections.create, { body: { collection: { texts } } })
  expect(collection).toMatchObject({ slug: 'orders', article_count: 0, texts: { en: { description: '' } } })
  const ids: string[] = []
  for (const title of ['Alpha lamp', 'Beta lamp', 'Gamma lamp']) {
    const article = { language: 'en', title, body: 'Glühbirne', collection_id: collection.id }
    ids.push((await as.ben(articles.create, { body: { article } })).data.id)
  }
  const inOrder = [ids[2]!, ids[0]!, ids[1]!]
  await as.ben(articles.reorder, { params: { id: collection.id }, body: { ids: [ids[2]!] } })
  const query = { collection_id: collection.id, limit: 2 }
  const first = await as.ben(articles.list, { query })
  const second = await as.ben(articles.list, { query: { ...query, after: first.next! } })
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(inOrder)
  expect(second.next).toBeNull()
  const listed = await as.ben(articles.list, { query: { q: 'gluhb alph', state: 'draft' } })
  expect(listed.data.map(({ id }) => id)).toEqual([ids[0]])
  await as.ben(articles.update, { params: { id: ids[0]! }, body: { article: { is_archived: true } } })
  expect((await as.ben(articles.list, { query: { q: 'alpha lamp' } })).data).toEqual([])
  expect((await as.ben(articles.list, { query: { q: 'alpha lamp', state: 'archived' } })).data).toHaveLength(1)
  await as.ben(articleCollections.remove, { params: { id: collection.id } })
  expect((await as.ben(articles.get, { params: { id: ids[1]! } })).data.collection_id).toBeNull()
})

test('a preview is what readers would see: no HTML of authors, no foreign pictures, headings below the title', async ({
  as,
}) => {
  const body =
    '# Top\n\n<script>x</script>\n\n![seen](https://evil.test/x.png)\n\n> [!NOTE]\n> Mind *this*.\n\n[x](javascript:alert)'
  const { data } = await as.ben(articles.preview, { body: { body } })
  expect(data.html).toContain('<h2 id="h-top">Top</h2>')
  expect(data.html).not.toContain('<script')
  expect(data.html).toContain('<a href="https://evil.test/x.png" rel="noopener">seen</a>')
  expect(data.html).toContain('<aside class="callout callout-note" role="note">')
  expect(data.html).not.toContain('href="javascript')
})

test('another account finds none of it', async ({ as }) => {
  const { data } = await as.ben(articles.create, draft('Ours'))
  const params = { id: data.id, language: 'en' }
  await expect(as.olga(articles.get, { params: { id: data.id } })).rejects.toMatchObject({ status: 404 })
  await expect(as.olga(articles.publish, { params, body: {} })).rejects.toMatchObject({ status: 404 })
  await expect(as.olga(articles.remove, { params: { id: data.id } })).rejects.toMatchObject({ status: 404 })
  await as.ben(articles.remove, { params: { id: data.id } })
  await expect(as.ben(articles.get, { params: { id: data.id } })).rejects.toMatchObject({ status: 404 })
})

test('collections are nested one level deep, each with its own order', async ({ as, world }) => {
  bystandersMayChange({ account_id: world.acme.id })
  const create = async (name: string, parent_id?: string) => {
    const collection = { texts: { en: { name, description: '' } }, ...(parent_id && { parent_id }) }
    return (await as.ben(articleCollections.create, { body: { collection } })).data
  }
  const [orders, billing] = [await create('Nested orders'), await create('Nested billing')]
  const [refunds, delivery] = [await create('Refunds', orders.id), await create('Delivery', orders.id)]
  const own = [orders, billing, refunds, delivery].map(({ id }) => id)
  const namesOf = (list: { id: string; texts: Record<string, { name: string }> }[]) =>
    list.filter(({ id }) => own.includes(id)).map(({ texts }) => texts.en!.name)
  const { data: listed } = await as.ben(articleCollections.list)
  expect(namesOf(listed)).toEqual(['Nested orders', 'Refunds', 'Delivery', 'Nested billing'])
  const { data: ordered } = await as.ben(articleCollections.reorder, {
    body: { ids: [billing.id, orders.id, delivery.id, refunds.id] },
  })
  expect(namesOf(ordered)).toEqual(['Nested billing', 'Nested orders', 'Delivery', 'Refunds'])

  const move = (id: string, parent_id: string | null) =>
    as.ben(articleCollections.update, { params: { id }, body: { collection: { parent_id } } })
  const refused = (problem: string) => ({ errors: { parent_id: [expect.stringContaining(problem)] } })
  await expect(move(orders.id, billing.id)).rejects.toMatchObject(refused('contains others'))
  await expect(move(billing.id, refunds.id)).rejects.toMatchObject(refused('is inside another collection'))
  await expect(move(billing.id, billing.id)).rejects.toMatchObject(refused('is the collection itself'))
  const { data: foreign } = await as.olga(articleCollections.create, {
    body: { collection: { texts: { en: { name: 'Theirs', description: '' } } } },
  })
  await expect(move(billing.id, foreign.id)).rejects.toMatchObject(refused('does not exist'))
  expect((await move(refunds.id, billing.id)).data.parent_id).toBe(billing.id)
  expect((await move(refunds.id, null)).data.parent_id).toBeNull()

  await as.ben(articleCollections.remove, { params: { id: orders.id } })
  const remaining = (await as.ben(articleCollections.list)).data.find(({ id }) => id === delivery.id)
  expect(remaining!.parent_id).toBeNull()
})

test('articles are counted by state, of a collection and a language', async ({ as }) => {
  const collection = { texts: { en: { name: 'Counted', description: '' } } }
  const { data: made } = await as.ben(articleCollections.create, { body: { collection } })
  const create = async (title: string) => {
    const article = { language: 'en', title, body: 'Text', collection_id: made.id }
    return (await as.ben(articles.create, { body: { article } })).data.id
  }
  const count = async (language?: string) => {
    const query = { collection_id: made.id, ...(language && { language }) }
    const { object: _, ...counts } = (await as.ben(articles.counts, { query })).data
    return counts
  }
  const [first, second, third] = [await create('One'), await create('Two'), await create('Three')]
  for (const id of [first, second]) await as.ben(articles.publish, { params: { id, language: 'en' }, body: {} })
  const translation = { title: 'Two', body: 'Changed' }
  await as.ben(articles.saveDraft, { params: { id: second, language: 'en' }, body: { translation } })
  await as.ben(articles.saveDraft, { params: { id: second, language: 'de' }, body: { translation } })
  await as.ben(articles.update, { params: { id: third }, body: { article: { is_archived: true } } })
  expect(await count()).toEqual({ all: 2, draft: 1, published: 2, changed: 1, archived: 1 })
  expect(await count('de')).toEqual({ all: 1, draft: 1, published: 0, changed: 0, archived: 0 })
  const { data: listed } = await as.ben(articles.list, { query: { collection_id: made.id, state: 'published' } })
  expect(listed).toHaveLength(2)
  const { data: others } = await as.olga(articles.counts, { query: { collection_id: made.id } })
  expect(others).toMatchObject({ all: 0, archived: 0 })
})
