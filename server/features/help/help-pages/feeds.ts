import { escapeHtml } from '../../../platform/html.ts'
import { urlOfArticle, urlOfCenter, urlOfCollection } from '../help-center/addresses.ts'
import type { HelpCenterRow } from '../help-center/help-center.ts'
import type { ListedArticle, ShownCollection } from './content.ts'
import { withArticles } from './pages.ts'

/** The addresses of all collections and published articles for search engines, each with its translations. */
export function sitemap(
  baseUrl: string,
  center: HelpCenterRow,
  { collections, articles }: { collections: ShownCollection[]; articles: ListedArticle[] },
): string {
  const url = urlOfCenter(baseUrl, center)
  const offered = articles.filter(({ language }) => center.languages.includes(language))
  const byArticle = Map.groupBy(offered, ({ article_id }) => article_id)
  const starts = center.languages.map((language) => ({ language, url: `${url}/${language}` }))
  const topics = withArticles(collections, articles).flatMap(({ slug }) => {
    const addresses = center.languages.map((language) => ({ language, url: urlOfCollection(url, { language, slug }) }))
    return addresses.map((address) => entryOf(address.url, addresses))
  })
  const entries = offered.map((article) => {
    const translations = byArticle.get(article.article_id)!
    const addresses = translations.map((translation) => ({
      language: translation.language,
      url: urlOfArticle(url, translation),
    }))
    return entryOf(urlOfArticle(url, article), addresses, article.published_at)
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${[...starts.map((start) => entryOf(start.url, starts)), ...topics, ...entries].join('\n')}
</urlset>
`
}

/** One address with those of its translations, itself included. */
function entryOf(url: string, addresses: { language: string; url: string }[], changed_at?: string): string {
  const alternates = (addresses.length > 1 ? addresses : []).map(
    (other) => `<xhtml:link rel="alternate" hreflang="${other.language}" href="${escapeHtml(other.url)}"/>`,
  )
  const lastmod = changed_at ? `<lastmod>${changed_at}</lastmod>` : ''
  return `<url><loc>${escapeHtml(url)}</loc>${lastmod}${alternates.join('')}</url>`
}

interface FeedEntry {
  article_id: string
  language: string
  slug: string
  title: string
  summary: string
  first_published_at: string
  published_at: string
}

/** The newest articles of one language as an Atom feed. */
export function atomFeed(baseUrl: string, center: HelpCenterRow, language: string, entries: FeedEntry[]): string {
  const url = urlOfCenter(baseUrl, center)
  const items = entries.map(
    (entry) => `<entry><title>${escapeHtml(entry.title)}</title><id>urn:uuid:${entry.article_id}</id>
<link href="${escapeHtml(urlOfArticle(url, entry))}"/><published>${entry.first_published_at}</published><updated>${entry.published_at}</updated>
<summary>${escapeHtml(entry.summary)}</summary></entry>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}"><title>${escapeHtml(center.name)}</title>
<id>${escapeHtml(`${url}/${language}`)}</id><link rel="self" href="${escapeHtml(`${url}/${language}/feed.xml`)}"/><link href="${escapeHtml(`${url}/${language}`)}"/>
<updated>${entries[0]?.published_at ?? center.updated_at}</updated><author><name>${escapeHtml(center.name)}</name></author>
${items.join('\n')}
</feed>
`
}

/** What search engines may read on an own host. */
export function robots(baseUrl: string, center: HelpCenterRow): string {
  if (!center.is_indexed) return 'User-agent: *\nDisallow: /\n'
  return `User-agent: *\nAllow: /\n\nSitemap: ${urlOfCenter(baseUrl, center)}/sitemap.xml\n`
}
