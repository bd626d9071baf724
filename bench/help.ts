import pg from 'pg'
import { describe, header, report, sample } from './figures.ts'
import { type Installation, install } from './installation.ts'

/** `npm run bench:help`: search and pages of a help center with 10,000 articles. */
const ARTICLES = 10_000
const RUNS = 300
/** Not counted: statements that come fifty times are prepared, and the server’s code is compiled meanwhile. */
const WARM_UP = 100
const SLUG = 'bench-help'

/** Words of different frequency: a few are in most articles, most in a few. */
const COMMON = ['order', 'account', 'page', 'open', 'press', 'email', 'change', 'settings']
const SYLLABLES = ['ba', 'de', 'fi', 'go', 'lu', 'ma', 'ne', 'pi', 'ro', 'su', 'ta', 've', 'wi', 'xo', 'zu']

/** The state of the reproducible random numbers. */
let state = 7

header('Help center: search and pages')
const installation = await install({ conversations: 100, messages: 300, customers: 100 })
try {
  await fill(installation)
  await measure(installation)
} finally {
  await installation.close()
}

/** A made-up word; the smaller the number, the more often it is used. */
function wordOf(number: number): string {
  const [a, b, c] = [number % 15, Math.floor(number / 15) % 15, Math.floor(number / 225) % 15]
  return `${SYLLABLES[a]}${SYLLABLES[b]}${SYLLABLES[c]}`
}

function below(limit: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((state / 2 ** 32) * limit)
}

function sentence(wordCount: number): string {
  return Array.from({ length: wordCount }, () =>
    below(3) === 0 ? COMMON[below(COMMON.length)]! : wordOf(Math.floor(3_000 * (below(1_000) / 1_000) ** 3)),
  ).join(' ')
}

async function fill({ databaseUrl, account_id }: Installation): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `insert into help_centers (account_id, name, slug, is_published, default_language, languages)
       values ($1, 'Bench', $2, true, 'en', '{en}')
       on conflict (account_id) do update set slug = excluded.slug`,
      [account_id, SLUG],
    )
    for (let at = 0; at < ARTICLES; at += 500) {
      const rows = Array.from({ length: 500 }, (_, i) => ({
        slug: `article-${at + i}`,
        title: sentence(6),
        text: sentence(250),
      }))
      await client.query(
        `with wanted as (select gen_random_uuid() as id, gen_random_uuid() as revision, w.*
           from jsonb_to_recordset($2) w (slug text, title text, text text)),
         a as (insert into articles (account_id, id) select $1, id from wanted),
         t as (insert into article_translations (account_id, article_id, language, title, body, slug)
           select $1, id, 'en', title, text, slug from wanted),
         r as (insert into article_revisions (account_id, id, article_id, language, number, title, summary, body)
           select $1, revision, id, 'en', 1, title, '', text from wanted)
         insert into published_articles
           (account_id, article_id, language, revision_id, version, slug, title, summary, html, text)
         select $1, id, 'en', revision, 1, slug, title, '', '<p>' || text || '</p>', text from wanted`,
        [account_id, JSON.stringify(rows)],
      )
    }
    await client.query('vacuum analyze articles, article_translations, published_articles')
  } finally {
    await client.end()
  }
}

async function measure({ url, token, databaseUrl }: Installation): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const show = async (name: string, work: () => Promise<unknown>) => {
    await sample(WARM_UP, work)
    report(`  ${name}`, describe(await sample(RUNS, work)))
  }
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + path, { headers: { authorization: token, ...headers } })
    const text = await answer.text()
    if (answer.status >= 400) throw new Error(`${path}: ${text}`)
    return answer
  }
  const search = (q: string) => () => get(`/api/articles/search?q=${encodeURIComponent(q)}`)
  const questions: Record<string, () => string> = {
    'one rare word': () => wordOf(2_500 + below(400)),
    'one word of every third article': () => COMMON[below(COMMON.length)]!,
    'a question of eight words': () => sentence(8),
    'only common words': () => COMMON.slice(0, 4).join(' '),
    'a mistyped word': () => `${wordOf(below(400))}q`,
    'no hit': () => 'qqqqq jjjjj',
  }
  await show('a plain statement', () => client.query('select 1'))
  await show('GET /health', () => get('/health'))
  for (const [name, question] of Object.entries(questions)) {
    await show(`search: ${name}`, () => search(question())())
  }
  let page = 0
  await show('a page that was not asked for before', () => get(`/help/${SLUG}/en/articles/article-${page++}`))
  const path = `/help/${SLUG}/en/articles/article-1`
  const etag = (await get(path)).headers.get('etag')!
  await show('a page from memory', () => get(path))
  await show('304', () => get(path, { 'if-none-match': etag }))
  await show('the list of articles', () => get('/api/articles'))
  await show('counts by state', () => get('/api/articles/counts'))
  await client.end()
}
