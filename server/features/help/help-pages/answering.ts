import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { articleSearch, MAX_QUESTION_LENGTH, publicArticles } from '#contract/help/public-articles.ts'
import { findLanguage } from '#contract/languages.ts'
import { type Context, perServer } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import type { PageTools } from '../../../feature.ts'
import { sendPacked } from '../../../platform/http/compression.ts'
import { sendFile } from '../../conversations/files/send-file.ts'
import { readerOf } from '../article-feedback/readers.ts'
import { countNoHits, recordVote } from '../article-feedback/recording.ts'
import { searchArticles } from '../article-search/search.ts'
import type { HelpCenterRow } from '../help-center/help-center.ts'
import { findBySlug, readArticle } from './content.ts'
import { type Answer, answerWith, PageCache } from './page-cache.ts'
import { missingPage, searchPage, thanksPage } from './pages.ts'
import { chooseTranslation, readerIn, render } from './rendering.ts'
import { findSocialPicture, type MadePicture, socialSource } from './social-pictures.ts'

const TYPES = {
  html: 'text/html; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  text: 'text/plain; charset=utf-8',
}
const PUBLIC = 'public, max-age=60, stale-while-revalidate=600'
const HEADERS = {
  // No script runs here. Connections to this server are for programs that rate pages: they fetch robots.txt as the page would.
  'content-security-policy':
    "default-src 'none'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

const pageCaches = perServer(() => new PageCache())

/** A request for a help center: `root` is the path in front of it, `path` what follows, without slashes at its ends. */
export interface HelpRequest {
  center: HelpCenterRow
  root: string
  path: string
  /** What follows the question mark. */
  query: Record<string, unknown>
}

/** Answers a request for a page of a help center. */
export async function answerHelp(
  context: Context,
  limit: PageTools['limit'],
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: HelpRequest,
) {
  const { center, root, path } = wanted
  reply.headers(HEADERS)
  const pay = (call: Endpoint) => limit(call, { kind: 'anonymous', address: request.ip }, 0)
  if (request.method === 'POST') {
    await pay(publicArticles.vote)
    return vote(context, request, reply, wanted)
  }
  if (path === '') return redirectToLanguage(request, reply, wanted)
  if (/^[^/]+\/search$/.test(path)) {
    await pay(articleSearch.find)
    return send(request, reply.header('cache-control', 'private, no-cache'), await search(context, wanted))
  }
  const source_id = socialSource(path)
  if (source_id !== undefined) {
    const made = await findSocialPicture(context, center, source_id, () => pay(publicArticles.search))
    if (!made) throw new NotFound()
    return sendSocialPicture(context, request, reply, made)
  }
  const key = JSON.stringify([center.account_id, center.version, context.config.baseUrl, root, path])
  const answer = await pageCaches(context).get(key, () => render(context, center, root, path))
  return send(request, reply.header('cache-control', cachingOf(answer)), answer)
}

/** The id of the stored picture changes with its contents. */
function sendSocialPicture({ files }: Context, request: FastifyRequest, reply: FastifyReply, made: MadePicture) {
  reply.header('etag', `"${made.id}"`)
  if (!request.headers['if-none-match']?.includes(made.id)) {
    return sendFile(request, reply, files, made, 'public, max-age=86400')
  }
  return reply.header('cache-control', 'public, max-age=86400').status(304).send()
}

function cachingOf({ type, status }: Answer): string {
  if (type === 'css') return 'public, max-age=31536000, immutable'
  return status === 200 || status === 301 ? PUBLIC : 'public, max-age=60'
}

function send(request: FastifyRequest, reply: FastifyReply, { status, type, text, location }: Answer) {
  if (location !== undefined) reply.header('location', location)
  return sendPacked(request, reply.status(status).type(TYPES[type]), text)
}

function redirectToLanguage({ headers }: FastifyRequest, reply: FastifyReply, { center, root }: HelpRequest) {
  const preferred = String(headers['accept-language'] ?? '')
    .slice(0, 500)
    .split(',')
    .map((wish) => wish.split(';')[0]!.trim())
  const language = findLanguage(center.languages, preferred) ?? center.default_language
  return reply
    .headers({ vary: 'accept-language', 'cache-control': 'private, no-cache' })
    .redirect(`${root}/${language}`, 302)
}

/** The answer of a search is not kept: there are as many as there are questions. */
async function search(context: Context, { center, root, path, query }: HelpRequest): Promise<Answer> {
  const [language = ''] = path.split('/')
  const reader = readerIn(center, root, context.config.baseUrl, language)
  if (reader.language !== language) return answerWith(missingPage(reader, false), 'html', 404)
  const q = typeof query.q === 'string' ? query.q.slice(0, MAX_QUESTION_LENGTH).trim() : ''
  const hits = q ? await searchArticles(context, center, { q, language, limit: 20 }) : []
  if (q && hits.length === 0) await countNoHits(context.db, center.account_id, language, q)
  return answerWith(searchPage(reader, q, hits))
}

/** A vote by a form: its answer is in the address. A comment that follows comes in the body. */
async function vote(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { center, root, path, query }: HelpRequest,
) {
  const [language = '', kind, slug = '', action] = path.split('/')
  const reader = readerIn(center, root, context.config.baseUrl, language)
  reply.header('cache-control', 'no-store')
  const match =
    kind === 'articles' && action === 'vote'
      ? await findBySlug(context.db, center.account_id, language, slug)
      : undefined
  const translations =
    match && 'article_id' in match ? await readArticle(context.db, center.account_id, match.article_id) : []
  const article = chooseTranslation(translations, language, center.default_language)
  if (!article) return send(request, reply, answerWith(missingPage(reader, false), 'html', 404))
  const is_helpful = query.helpful === 'yes'
  const comment = readComment(request.body)
  if (comment.problem) return send(request, reply, answerWith(thanksPage(reader, article, comment), 'html', 422))
  const caller = { kind: 'anonymous' as const, address: request.ip }
  await context.change((tx) =>
    recordVote(tx, center.account_id, {
      reader: readerOf(context.config, center.account_id, caller, request.headers['user-agent']),
      article_id: article.article_id,
      language: article.language,
      is_helpful,
      comment: comment.text || null,
    }),
  )
  return send(request, reply, answerWith(thanksPage(reader, article, is_helpful ? undefined : comment)))
}

const { comment: Comment } = publicArticles.vote.body.shape

/** What a reader wrote after a vote; `problem` if it cannot be stored. Browsers send two characters for a new line. */
function readComment(body: unknown): { text: string; problem?: true } {
  const { comment } = Object(body) as { comment?: unknown }
  const text = typeof comment === 'string' ? comment.replaceAll('\r\n', '\n').trim() : ''
  const { success, data } = z.safeParse(Comment, text)
  return success ? { text: data ?? '' } : { text, problem: true }
}
