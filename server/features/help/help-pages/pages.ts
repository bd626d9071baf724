import { type ArticleHit, MAX_COMMENT_LENGTH } from '#contract/help/public-articles.ts'
import { cutText } from '#contract/text/graphemes.ts'
import { directionOf } from '../../../languages.ts'
import { urlOfArticle, urlOfCenter } from '../help-center/addresses.ts'
import type { ListedArticle, ShownArticle, ShownCollection } from './content.ts'
import { Html, html } from './html.ts'
import { contact, crumbData, crumbs, type Page, type Reader, renderPage, say, searchForm } from './layout.ts'
import { socialPath } from './social-pictures.ts'

/** About what search engines show of a description. */
const DESCRIPTION = 155

const pathOf = (language: string, kind: 'articles' | 'collections', slug: string) =>
  `/${language}/${kind}/${encodeURIComponent(slug)}`

interface StartContents {
  collections: ShownCollection[]
  articles: ListedArticle[]
  /** The file that stands for it on other websites. */
  picture: string | null
}

/** The first page: search, and the collections with articles. */
export function startPage(reader: Reader, { collections, articles, picture }: StartContents): string {
  const { center } = reader
  const shown = withArticles(collections, articles)
  const top = shown.filter(({ parent_id }) => parent_id === null)
  const loose = articles.filter(({ collection_id }) => !shown.some(({ id }) => id === collection_id))
  const main = html`${topicsOf(reader, top)}${loose.length > 0 && html`<section>${listOf(reader, loose.slice(0, 100))}</section>`}${articles.length === 0 && html`<p>${say(reader, 'help_empty')}</p>`}${contact(reader)}`
  const addresses = center.languages.map((tag) => ({ language: tag, path: `/${tag}` }))
  const description = cutText([center.name, ...top.map(({ name }) => name)].join(' · '), DESCRIPTION)
  return renderPage(reader, {
    ...{ title: center.name, description, picture, isStart: true, main },
    addresses: own(reader, addresses),
  })
}

/** Collections with articles, in themselves or in one inside them. */
export function withArticles(collections: ShownCollection[], articles: ListedArticle[]): ShownCollection[] {
  const filled = new Set(articles.map(({ collection_id }) => collection_id))
  for (const { id, parent_id } of collections) if (parent_id && filled.has(id)) filled.add(parent_id)
  return collections.filter(({ id }) => filled.has(id))
}

function topicsOf({ root, language }: Reader, collections: ShownCollection[]): Html {
  if (collections.length === 0) return html``
  return html`<ul class="topics">${collections.map(
    ({ slug, icon, name, description }) =>
      html`<li>${icon && html`<span class="icon" aria-hidden="true">${icon}</span>`}<h2><a href="${root}${pathOf(language, 'collections', slug)}">${name}</a></h2>${description && html`<p>${description}</p>`}</li>`,
  )}</ul>`
}

/** The own address first: it is the canonical one. */
function own({ language }: Reader, addresses: Page['addresses']): Page['addresses'] {
  return addresses.toSorted((a, b) => Number(b.language === language) - Number(a.language === language))
}

interface CollectionContents {
  /** The collections around it, the outermost first. */
  around: ShownCollection[]
  inside: ShownCollection[]
  /** Its articles, and those of the collections inside it. */
  articles: ListedArticle[]
}

/** The articles of one collection, below the collections inside it. */
export function collectionPage(
  reader: Reader,
  collection: ShownCollection,
  { around, inside, articles }: CollectionContents,
): string {
  const { center, language } = reader
  const { id, name, description, slug } = collection
  const trail = trailOf(reader, around)
  const addresses = center.languages.map((tag) => ({ language: tag, path: pathOf(tag, 'collections', slug) }))
  const filled = withArticles(inside, articles)
  const direct = articles.filter(({ collection_id }) => collection_id === id)
  const list =
    articles.length === 0 ? html`<p>${say(reader, 'help_empty')}</p>` : direct.length > 0 && listOf(reader, direct)
  const main = html`<div class="narrow">${crumbs(reader, trail)}<h1>${name}</h1>${description && html`<p class="lead">${description}</p>`}${topicsOf(reader, filled)}${list}</div>`
  const titles = [...filled.map((other) => other.name), ...direct.map(({ title }) => title)]
  return renderPage(reader, {
    title: name,
    description: description || cutText(titles.join(' · '), DESCRIPTION),
    main,
    addresses: own(reader, addresses),
    data: [crumbData(reader, [...trail, { name, path: pathOf(language, 'collections', slug) }])],
  })
}

/** Collections as steps of the way to a page. */
function trailOf({ language }: Reader, collections: ShownCollection[]) {
  return collections.map(({ name, slug }) => ({ name, path: pathOf(language, 'collections', slug) }))
}

function listOf({ root, language }: Reader, articles: ListedArticle[]): Html {
  return html`<ul class="list">${articles.map(
    (article) =>
      html`<li${article.language !== language && html` lang="${article.language}" dir="auto"`}><a href="${root}${pathOf(language, 'articles', article.slug)}">${article.title}</a>${article.summary && html`<p>${article.summary}</p>`}</li>`,
  )}</ul>`
}

interface ArticleContext {
  translations: ShownArticle[]
  /** Its collection, with the one around it in front. */
  path: ShownCollection[]
  related: ListedArticle[]
  picture: string | null
}

/** An article in the wanted language, or in the default language where it is missing. */
export function articlePage(
  reader: Reader,
  article: ShownArticle,
  { translations, path: collections, related, picture }: ArticleContext,
) {
  const { language, root, center } = reader
  const isOther = article.language !== language
  const trail = trailOf(reader, collections)
  const collection = collections.at(-1)
  const path = pathOf(language, 'articles', article.slug)
  const addresses = translations
    .filter((translation) => center.languages.includes(translation.language))
    .map((translation) => ({
      language: translation.language,
      path: pathOf(translation.language, 'articles', translation.slug),
    }))
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(article.published_at),
  )
  const text = html`<h1>${article.title}</h1>${article.summary && html`<p class="lead">${article.summary}</p>`}<div class="text">${new Html(article.html)}</div>`
  const main = html`<div class="narrow">${crumbs(reader, trail)}${isOther && html`<p class="hint">${say(reader, 'help_other_language')}</p>`}<article${isOther && html` lang="${article.language}" dir="${directionOf(article.language)}"`}>${text}</article><p class="soft">${say(reader, 'help_updated', { date: day })}</p>
<section class="votes"><h2>${say(reader, 'help_helpful')}</h2><form method="post" action="${root}${path}/vote?helpful=yes"><button>${say(reader, 'help_yes')}</button><button formaction="${root}${path}/vote?helpful=no">${say(reader, 'help_no')}</button></form></section>
${related.length > 0 && collection && html`<section class="more"><h2>${say(reader, 'help_more', { topic: collection.name })}</h2><ul>${related.map((other) => html`<li><a href="${root}${pathOf(language, 'articles', other.slug)}">${other.title}</a></li>`)}</ul></section>`}${contact(reader)}</div>`
  return renderPage(reader, {
    title: article.title,
    description: article.summary || cutText(article.text.replace(/\s+/g, ' '), DESCRIPTION),
    type: 'article',
    picture,
    main,
    addresses: own({ ...reader, language: article.language }, addresses),
    data: [crumbData(reader, [...trail, { name: article.title, path }]), articleData(reader, article, picture)],
  })
}

function articleData({ center, baseUrl }: Reader, article: ShownArticle, picture: string | null): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'TechArticle',
    headline: article.title,
    ...(article.summary && { description: article.summary }),
    ...(picture && { image: urlOfCenter(baseUrl, center) + socialPath(picture, center.color) }),
    inLanguage: article.language,
    datePublished: article.first_published_at,
    dateModified: article.published_at,
    mainEntityOfPage: urlOfArticle(urlOfCenter(baseUrl, center), article),
    publisher: { '@type': 'Organization', name: center.name },
  }
}

/** The articles for a question. */
export function searchPage(reader: Reader, query: string, hits: ArticleHit[]): string {
  const title = query ? say(reader, 'help_results', { query }) : say(reader, 'help_search')
  const results = hits.map(
    ({ title, url, language, summary, excerpt }) =>
      html`<li${language !== reader.language && html` lang="${language}"`}><a href="${onThisHost(reader, url)}">${title}</a><p>${summary || marked(excerpt)}</p></li>`,
  )
  const nothing = query !== '' && hits.length === 0
  const main = html`<div class="narrow">${crumbs(reader, [])}<h1>${title}</h1>${searchForm(reader, query)}<div aria-live="polite">${nothing ? html`<p>${say(reader, 'help_no_results', { query })}</p>` : html`<ul class="list">${results}</ul>`}</div>${contact(reader)}</div>`
  return renderPage(reader, { title, main, addresses: [], isHidden: true, hasSearch: true })
}

function onThisHost({ baseUrl, center, root }: Reader, url: string): string {
  return root + url.slice(urlOfCenter(baseUrl, center).length)
}

function marked({ text, ranges }: ArticleHit['excerpt']): Html {
  let at = 0
  const parts = ranges.map(({ start, end }) => {
    const part = html`${text.slice(at, start)}<mark>${text.slice(start, end)}</mark>`
    at = end
    return part
  })
  return html`${parts}${text.slice(at)}`
}

/** A page that does not exist, or was withdrawn, with a search. */
export function missingPage(reader: Reader, wasHere: boolean): string {
  const title = say(reader, wasHere ? 'help_gone' : 'help_not_found')
  const main = html`<div class="narrow">${crumbs(reader, [])}<h1>${title}</h1><p>${say(reader, 'help_not_found_text')}</p>${searchForm(reader, '')}</div>`
  return renderPage(reader, { title, main, addresses: [], isHidden: true, hasSearch: true })
}

/** What a reader has written after a vote: nothing yet, a comment, or one with a problem. */
interface Commented {
  text: string
  problem?: true
}

/** Thanks for a vote. Who was not helped may write why. */
export function thanksPage(
  reader: Reader,
  { title, slug }: { title: string; slug: string },
  comment: Commented | undefined,
): string {
  const path = pathOf(reader.language, 'articles', slug)
  const isWritten = !!comment?.text && !comment.problem
  const heading = say(reader, isWritten ? 'help_comment_thanks' : 'help_thanks')
  const form = comment && !isWritten && commentForm(reader, path, comment)
  const main = html`<div class="narrow">${crumbs(reader, [{ name: title, path }])}<h1>${heading}</h1>${form}${contact(reader)}</div>`
  return renderPage(reader, { title: heading, main, addresses: [], isHidden: true })
}

function commentForm(reader: Reader, path: string, { text, problem }: Commented): Html {
  const about = problem ? 'comment-problem comment-note' : 'comment-note'
  const limit = MAX_COMMENT_LENGTH.toLocaleString(reader.language)
  return html`<form class="comment" method="post" action="${reader.root}${path}/vote?helpful=no"><label for="comment">${say(reader, 'help_comment')}</label><textarea id="comment" name="comment" rows="5" maxlength="${MAX_COMMENT_LENGTH}" required aria-describedby="${about}"${problem && html` aria-invalid="true"`} dir="auto">${text}</textarea>${problem && html`<p id="comment-problem" role="alert">${say(reader, 'help_comment_long', { limit })}</p>`}<p id="comment-note" class="soft">${say(reader, 'help_comment_note')}</p><button>${say(reader, 'help_comment_send')}</button></form>`
}
