import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { articles } from '#contract/help/articles.ts'
import { helpCenter } from '#contract/help/help-center.ts'
import { articleSearch } from '#contract/help/public-articles.ts'
import { test as base, expect } from '#tests/support/fixture.ts'

type Text = { title: string; body: string }

/** Articles and questions in three languages, each question with the article that answers it. */
const labelled: {
  articles: Record<string, Record<string, Text>>
  questions: Record<string, Record<string, string>>
} = JSON.parse(readFileSync(join(import.meta.dirname, 'labelled.json'), 'utf8'))

const test = base
  /** Articles by their ids in the labelled set, published in an account without others. */
  .extend('ids', { scope: 'file' }, async ({ as }) => {
    const languages = ['en', 'de', 'ja']
    const help_center = { is_published: true, slug: 'labelled', languages }
    await as.olga(helpCenter.update, { body: { help_center } })
    const ids = new Map<string, string>()
    for (const [name, texts] of Object.entries(labelled.articles)) {
      const { data } = await as.olga(articles.create, { body: { article: { language: 'en', ...texts.en! } } })
      ids.set(data.id, name)
      for (const [language, translation] of Object.entries(texts)) {
        const params = { id: data.id, language }
        if (language !== 'en') await as.olga(articles.saveDraft, { params, body: { translation } })
        await as.olga(articles.publish, { params, body: {} })
      }
    }
    return ids
  })
  .extend('ask', ({ as, ids }) => async (q: string, language = 'en') => {
    const { data } = await as.olga(articleSearch.find, { query: { q, language } })
    return data.map((hit) => ({ ...hit, name: ids.get(hit.id) }))
  })

test('of a hundred questions in three languages, at least 85 find their article among the first three', async ({
  ask,
}) => {
  const asked = Object.entries(labelled.questions).flatMap(([language, questions]) =>
    Object.entries(questions).map(([question, name]) => ({ language, question, name })),
  )
  const missed: string[] = []
  for (const { language, question, name } of asked) {
    const names = (await ask(question, language)).slice(0, 3).map((hit) => hit.name)
    if (!names.includes(name)) missed.push(`${language} ${question}: ${names.join(', ') || 'nothing'}`)
  }
  expect(asked).toHaveLength(100)
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(15)
})

test('an article is found in the reader’s language, also by words of another one', async ({ ask }) => {
  expect((await ask('Gutschein einlösen', 'de'))[0]).toMatchObject({ language: 'de', name: 'voucher' })
  expect((await ask('Gutschein einlösen', 'ja'))[0]).toMatchObject({ language: 'ja', name: 'voucher' })
  const [hit] = await ask('paypal', 'fr')
  expect(hit).toMatchObject({ language: 'en', name: 'payment' })
})

test('nothing is found for questions about something else, for signs and for blanks', async ({ ask }) => {
  for (const question of ['quantum chromodynamics', '???', ' ', "'); zzzz qqqq; --", '\\ : * & | !']) {
    expect(await ask(question), question).toEqual([])
  }
})

test('a hit has the part of the text that fits, with the matching words marked', async ({ ask }) => {
  const [hit] = await ask('vinegar')
  expect(hit).toMatchObject({ name: 'oak-care', title: 'Cleaning and oiling oak' })
  const [range] = hit!.excerpt.ranges
  expect(hit!.excerpt.text.slice(range!.start, range!.end)).toBe('vinegar')
})

const SAMPLE = [
  { id: 'pricing', title: 'How much does it cost?', text: 'The first 2 users are free.' },
  {
    id: 'install',
    title: 'How do I install the chat widget?',
    text: 'Copy the snippet into the head of your website.',
  },
  { id: 'slack', title: 'Does it work with Slack?', text: 'Yes, your team replies in threads.' },
  { id: 'hours', title: 'Giờ mở cửa?', text: 'Từ chín giờ sáng.' },
  { id: 'delivery', title: '配送にはどのくらいかかりますか？', text: '三日以内に届きます。' },
]

test('a question finds its answer in the sample help center although it is worded or spelled differently', async ({
  as,
}) => {
  const ask = async (q: string) =>
    (await as.anybody(articleSearch.inSample, { body: { q, articles: SAMPLE } })).data.article_ids[0]
  expect(await ask('what will it cost us')).toBe('pricing')
  expect(await ask('What is the price for five users?')).toBe('pricing')
  expect(await ask('Installing the widgets')).toBe('install')
  expect(await ask('can we answer from SLCAK')).toBe('slack')
  expect(await ask('gio mo cua')).toBe('hours')
  expect(await ask('配送は')).toBe('delivery')
  for (const other of [
    'mushrooms',
    'Do you like mushrooms?',
    'how do i',
    'quantum chromodynamics',
    '???',
    "'); zzzz qqqq; --",
  ]) {
    expect(await ask(other), other).toBeUndefined()
  }
})

test('the sample help center has at most fifty articles, and needs none', async ({ as }) => {
  const articles = Array.from({ length: 51 }, (_, at) => ({ id: `${at}`, title: `Question ${at}`, text: 'Answer' }))
  const ask = (sample: typeof articles) =>
    as.anybody(articleSearch.inSample, { body: { q: 'question', articles: sample } })
  await expect(ask(articles)).rejects.toMatchObject({ status: 422 })
  expect((await ask([])).data.article_ids).toEqual([])
})
