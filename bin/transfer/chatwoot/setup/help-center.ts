import type pg from 'pg'
import * as z from 'zod/mini'
import { ArticleLanguage, MAX_LANGUAGES } from '#contract/help/help-center.ts'
import { REFERENCE_LANGUAGE } from '#contract/languages.ts'
import { freeSlug, slugOf } from '#server/features/help/help-center/slug.ts'
import { listIn, objectIn, textOf } from './lists.ts'
import type { MovedAccount, StagedRow } from './moved-account.ts'

interface Center {
  default_language: string
  /** Numbers of the portals that anybody could read. */
  openPortals: Set<string>
}

const MAX_SLUG = 60

/** A language of Chatwoot, such as `pt_BR`, as a tag; undefined if it is none. */
export function languageOf(locale: unknown): string | undefined {
  const { data } = z.safeParse(ArticleLanguage, textOf(locale).replaceAll('_', '-'))
  return data
}

/**
 * Makes the help center of an account after its portal with most articles; a company has one here. It is not published:
 * its address is new, and somebody should look at it first.
 * @returns undefined if there are neither portals nor articles
 */
export async function moveHelpCenter(
  client: pg.Client,
  { account, account_id }: MovedAccount,
): Promise<Center | undefined> {
  const { rows: portals } = await client.query<StagedRow>(
    `select o.* from old_portals o where o.account_id = $1
     order by coalesce(o.archived, false), (select count(*) from old_articles a where a.portal_id = o.id) desc, o.id`,
    [account],
  )
  const { rows: locales } = await client.query<{ locale: string }>(
    `select locale from old_articles where account_id = $1 group by locale order by count(*) desc`,
    [account],
  )
  if (portals.length === 0 && locales.length === 0) return undefined
  const [main, ...others] = portals
  const config = objectIn(main?.config)
  const offered = [config.default_locale, ...locales.map(({ locale }) => locale), ...textsIn(config.allowed_locales)]
  const supported = [...new Set(offered.flatMap((locale) => languageOf(locale) ?? []))]
  const languages = (supported.length > 0 ? supported : [REFERENCE_LANGUAGE]).slice(0, MAX_LANGUAGES)
  const { rows: accounts } = await client.query<{ company_name: string }>(
    'select company_name from accounts where id = $1',
    [account_id],
  )
  const name = textOf(main?.name).slice(0, 100) || accounts[0]!.company_name
  const { rows: taken } = await client.query<{ slug: string }>('select slug from help_centers where account_id <> $1', [
    account_id,
  ])
  const slug = freeSlug(
    slugOf(textOf(main?.slug) || name, 'help').slice(0, MAX_SLUG),
    new Set(taken.map((row) => row.slug)),
  )
  const color = /^#[0-9a-f]{6}$/i.test(textOf(main?.color)) ? textOf(main.color).toLowerCase() : '#1f6f5c'
  const { rows } = await client.query<{ default_language: string }>(
    `insert into help_centers (account_id, name, slug, default_language, languages, color) values ($1, $2, $3, $4, $5, $6)
     on conflict (account_id) do update set version = help_centers.version + 1,
       languages = (help_centers.languages || array(select unnest(excluded.languages) except select unnest(help_centers.languages)))[1:${MAX_LANGUAGES}]
     returning default_language`,
    [account_id, name, slug, languages[0], languages, color],
  )
  for (const { id } of others) {
    await client.query('insert into not_taken values ($1, $2, $3)', [
      'portals',
      id,
      'its articles are in the only help center of the company',
    ])
  }
  const open = portals.filter(({ archived }) => archived !== true)
  return { default_language: rows[0]!.default_language, openPortals: new Set(open.map(({ id }) => String(id))) }
}

/** Newer versions name languages, older ones are objects with a code. */
function textsIn(raw: unknown): unknown[] {
  return Array.isArray(raw) ? raw.map((item) => textOf(item) || objectIn(item).code) : listIn(raw)
}
