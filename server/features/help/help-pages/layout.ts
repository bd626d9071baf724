import { chooseServerLanguage, directionOf } from '../../../languages.ts'
import { type TextKey, translate } from '../../mail/mails/translate.ts'
import { urlOfCenter } from '../help-center/addresses.ts'
import { type HelpCenterRow, logoPath } from '../help-center/help-center.ts'
import { type Html, html, jsonLd } from './html.ts'
import { SOCIAL_HEIGHT, SOCIAL_WIDTH, socialPath } from './social-pictures.ts'
import { styleOf } from './style.ts'

/** Where and for whom a page is rendered. */
export interface Reader {
  center: HelpCenterRow
  /** The language of the address. */
  language: string
  /** The path in front of all addresses: empty on an own host. */
  root: string
  baseUrl: string
}

/** What a page is about. */
export interface Page {
  title: string
  description?: string | undefined
  /** The language of its content, where it is not that of the address. */
  contentLanguage?: string
  /** Its path below the help center in each language that has it; the first one is its canonical address. */
  addresses: { language: string; path: string }[]
  /** Not for search engines: results, missing pages. */
  isHidden?: boolean
  isStart?: boolean
  /** Has a search of its own, so that there is none at the top. */
  hasSearch?: boolean
  type?: 'website' | 'article'
  /** The id of the file that is shown beside links to it on other websites. */
  picture?: string | null
  data?: object[]
  main: Html
}

/** A text of the interface in the reader's language. */
export function say({ language }: Pick<Reader, 'language'>, key: TextKey, values: Record<string, string> = {}): string {
  return translate(chooseServerLanguage([language]), key, values)
}

/** The name of a language in itself. */
export function nameOfLanguage(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

/** A whole page: plain HTML without a script. */
export function renderPage(reader: Reader, page: Page): string {
  const { center, language, root } = reader
  const title = page.isStart ? center.name : `${page.title} – ${center.name}`
  const direction = directionOf(language)
  const { main } = page
  const content = page.contentLanguage && page.contentLanguage !== language ? page.contentLanguage : undefined
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
${headOf(reader, page)}
<link rel="stylesheet" href="${root}/${styleOf(center.color).name}">
<link rel="icon" href="${root}/favicon.svg" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#main">${say(reader, 'help_skip')}</a>
${headerOf(reader, page)}
<main id="main"><div class="wide">${content ? html`<div lang="${content}" dir="${directionOf(content)}">${main}</div>` : main}</div></main>
${footerOf(reader)}
</body>
</html>
`.text
}

function headOf({ center, language, root, baseUrl }: Reader, page: Page): Html {
  const origin = urlOfCenter(baseUrl, center)
  const [canonical] = page.addresses
  const isHidden = page.isHidden || !center.is_indexed
  const alternates = page.addresses.length > 1 && !isHidden ? page.addresses : []
  const standard = alternates.find((address) => address.language === center.default_language)
  return html`${page.description && html`<meta name="description" content="${page.description}">\n`}${isHidden && html`<meta name="robots" content="noindex">\n`}${canonical && !page.isHidden && html`<link rel="canonical" href="${origin}${canonical.path}">\n`}${alternates.map((address) => html`<link rel="alternate" hreflang="${address.language}" href="${origin}${address.path}">\n`)}${standard && html`<link rel="alternate" hreflang="x-default" href="${origin}${standard.path}">\n`}<link rel="alternate" type="application/atom+xml" title="${center.name}" href="${root}/${language}/feed.xml">
<meta property="og:type" content="${page.type ?? 'website'}">
<meta property="og:title" content="${page.title}">
<meta property="og:site_name" content="${center.name}">
${page.description && html`<meta property="og:description" content="${page.description}">\n`}${canonical && html`<meta property="og:url" content="${origin}${canonical.path}">\n`}${page.picture && socialTags(origin + socialPath(page.picture, center.color))}<meta name="theme-color" content="${center.color}">
${(page.data ?? []).map(jsonLd)}`
}

function socialTags(url: string): Html {
  return html`<meta property="og:image" content="${url}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${SOCIAL_WIDTH}">
<meta property="og:image:height" content="${SOCIAL_HEIGHT}">
<meta name="twitter:card" content="summary_large_image">
`
}

function headerOf(reader: Reader, page: Page): Html {
  const { center, language, root } = reader
  const logo = logoPath(center)
  const name = html`<a class="name" href="${root}/${language}">${logo ? html`<img src="${logo}" alt="">` : ''}<span>${center.name}</span></a>`
  if (page.isStart) {
    return html`<header class="top"><div class="wide"><div class="bar">${name}${languagesOf(reader, page)}</div>
<div class="hero"><h1>${say(reader, 'help_search')}</h1>${searchForm(reader, '')}</div></div></header>`
  }
  return html`<header class="top slim"><div class="wide bar">${name}${!page.hasSearch && searchForm(reader, '')}${languagesOf(reader, page)}</div></header>`
}

/** Every language leads to the same page, or to the start where there is none. */
function languagesOf(reader: Reader, page: Page): Html {
  const { center, language, root } = reader
  if (center.languages.length < 2) return html``
  const pathIn = (tag: string) => page.addresses.find((address) => address.language === tag)?.path ?? `/${tag}`
  return html`<nav aria-label="${say(reader, 'help_languages')}"><ul class="tongues">${center.languages.map(
    (tag) =>
      html`<li><a href="${root}${pathIn(tag)}" lang="${tag}" hreflang="${tag}"${tag === language && html` aria-current="true"`}>${nameOfLanguage(tag)}</a></li>`,
  )}</ul></nav>`
}

/** The search, which works without a script. */
export function searchForm(reader: Reader, query: string): Html {
  const label = say(reader, 'help_search')
  return html`<form class="find" role="search" action="${reader.root}/${reader.language}/search"><input type="search" name="q" value="${query}" maxlength="200" aria-label="${label}" placeholder="${label}" required><button>${say(reader, 'help_search_button')}</button></form>`
}

function footerOf({ center }: Reader): Html {
  const links = center.legal_links.map(({ label, url }) => html`<a href="${url}">${label}</a>`)
  return html`<footer><div class="wide"><span>${center.name}</span>${links}</div></footer>`
}

/** The way back: from the start of the help center to this page. */
export function crumbs(reader: Reader, parts: { name: string; path: string }[]): Html {
  const { root, center, language } = reader
  const all = [{ name: center.name, path: `/${language}` }, ...parts]
  return html`<nav class="crumbs" aria-label="${say(reader, 'help_topics')}"><ol>${all.map(({ name, path }) => html`<li><a href="${root}${path}">${name}</a></li>`)}</ol></nav>`
}

/** The same for search engines. */
export function crumbData({ baseUrl, center, language }: Reader, parts: { name: string; path: string }[]): object {
  const all = [{ name: center.name, path: `/${language}` }, ...parts]
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: all.map(({ name, path }, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item: urlOfCenter(baseUrl, center) + path,
    })),
  }
}

/** How to reach the company; nothing if it has not said so. */
export function contact(reader: Reader): Html {
  const { contact_url, contact_email } = reader.center
  const href = contact_url ?? (contact_email && `mailto:${contact_email}`)
  if (!href) return html``
  return html`<section class="contact"><h2>${say(reader, 'help_contact')}</h2><a class="button" href="${href}">${say(reader, 'help_contact_button')}</a></section>`
}
