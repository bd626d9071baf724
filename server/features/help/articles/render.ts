import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { slugOf } from '../help-center/slug.ts'
import type { ArticleFile, RenderedArticle, Rendering } from './rendered-article.ts'

const markdown = new MarkdownIt({ html: false, linkify: true })
type Token = ReturnType<typeof markdown.parse>[number]
const FILE_ADDRESS = /^(?:https?:\/\/[^/]+)?\/(?:help\/)?files\/([0-9a-f-]{36})\/[^/]+$/i
const CALLOUT = /^\[!(note|tip|important|warning|caution)\]\s*/i

/** The Markdown of an article as safe HTML and as plain text, with the ids of its files. */
export function renderArticle({ body, files, filesAt }: Rendering): RenderedArticle {
  const byId = new Map(files.map((file) => [file.id, file]))
  const used = new Set<string>()
  const findFile = (url: string) => {
    const file = byId.get(FILE_ADDRESS.exec(url)?.[1]?.toLowerCase() ?? '')
    if (file) used.add(file.id)
    return file && { ...file, url: `${filesAt}${file.id}/${encodeURIComponent(file.filename)}` }
  }
  const tokens = markdown.parse(body, {})
  const headings = new Map<string, number>()
  tokens.forEach((token, at) => {
    if (token.type === 'heading_open') nameHeading(token, tokens[at + 2]!, tokens[at + 1]!.content, headings)
    if (token.type === 'blockquote_open') makeCallout(tokens, at)
    if (token.type === 'table_open') token.attrSet('tabindex', '0')
    if (token.type === 'td_open' || token.type === 'th_open') alignByClass(token)
    for (const child of token.children ?? []) showFile(child, findFile)
  })
  const html = sanitizeHtml(markdown.renderer.render(tokens, markdown.options, {}), SAFE)
  return { html, text: textOf(tokens), file_ids: [...used] }
}

/** The title of the page is its only first heading, so those of the text begin at the second level. */
function nameHeading(open: Token, close: Token, content: string, headings: Map<string, number>): void {
  const level = Math.min(6, Math.max(2, Number(open.tag.slice(1))))
  open.tag = `h${level}`
  close.tag = open.tag
  const slug = slugOf(content, 'section')
  const count = (headings.get(slug) ?? 0) + 1
  headings.set(slug, count)
  // The prefix keeps them apart from the ids of the page itself.
  open.attrSet('id', `h-${count > 1 ? `${slug}-${count}` : slug}`)
}

/** A quotation that begins with `[!NOTE]` or the like is set apart from the text, as at GitHub. */
function makeCallout(tokens: Token[], at: number): void {
  const inline = tokens[at + 2]
  const first = inline?.children?.[0]
  const kind = inline?.type === 'inline' && first?.type === 'text' ? CALLOUT.exec(first.content) : null
  if (!kind) return
  const open = tokens[at]!
  const close = tokens.slice(at).find(({ type, level }) => type === 'blockquote_close' && level === open.level)!
  open.tag = 'aside'
  close.tag = 'aside'
  open.attrSet('class', `callout callout-${kind[1]!.toLowerCase()}`)
  // A part of the text, and no landmark of the page, which would need a name.
  open.attrSet('role', 'note')
  first!.content = first!.content.slice(kind[0].length)
  if (first!.content === '' && inline!.children?.[1]?.type === 'softbreak') inline!.children.splice(0, 2)
}

/** The content security policy of the pages allows no styles in attributes. */
function alignByClass(token: Token): void {
  const alignment = /text-align:(left|center|right)/.exec(String(token.attrGet('style') ?? ''))?.[1]
  token.attrs = alignment ? [['class', `align-${alignment}`]] : null
}

type ShownFile = ArticleFile & { url: string }

/** Pictures are only those of the company, because others would learn who reads; foreign ones become links. */
function showFile(token: Token, findFile: (url: string) => ShownFile | undefined): void {
  if (token.type === 'link_open') {
    const file = findFile(String(token.attrGet('href') ?? ''))
    if (file) token.attrSet('href', file.url)
  }
  if (token.type !== 'image') return
  const url = String(token.attrGet('src') ?? '')
  const file = findFile(url)
  if (!file?.content_type.startsWith('image/')) {
    becomeLink(token, file?.url ?? url)
    return
  }
  token.attrSet('src', file.url)
  token.attrSet('loading', 'lazy')
  if (file.width && file.height) {
    token.attrSet('width', String(file.width))
    token.attrSet('height', String(file.height))
  }
}

function becomeLink(token: Token, url: string): void {
  const text = token.content || url
  token.type = 'html_inline'
  token.content = `<a href="${markdown.utils.escapeHtml(url)}">${markdown.utils.escapeHtml(text)}</a>`
}

function textOf(tokens: Token[]): string {
  const lines = tokens.flatMap(({ type, content, children }) => {
    if (type === 'fence' || type === 'code_block') return [content.trim()]
    return type === 'inline' ? [(children ?? []).map(textOfInline).join('')] : []
  })
  return lines.filter(Boolean).join('\n')
}

function textOfInline({ type, content }: Token): string {
  if (type === 'softbreak' || type === 'hardbreak') return ' '
  return type === 'text' || type === 'code_inline' || type === 'image' ? content : ''
}

const SAFE: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['a', 'aside', 'blockquote', 'br', 'code', 'em', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'img', 'li', 'ol', 'p'],
    ...['pre', 's', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    aside: ['class', 'role'],
    ...Object.fromEntries(['h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, ['id']])),
    img: ['src', 'alt', 'title', 'width', 'height', 'loading'],
    ol: ['start'],
    table: ['tabindex'],
    td: ['class'],
    th: ['class'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: [] },
  allowProtocolRelative: false,
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener' }) },
}
