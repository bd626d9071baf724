import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import qs from 'qs'
import { isId } from '#contract/wire.ts'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import type { PageTools } from '../../../feature.ts'
import { sendFile } from '../../conversations/files/send-file.ts'
import { urlOfCenter } from '../help-center/addresses.ts'
import { answerHelp, type HelpRequest } from './answering.ts'
import { helpCenters } from './centers.ts'
import { findPublicFile, listIndexedCenters } from './content.ts'

const FILES = '/help/files/'
/** The bodies of public pages are forms with one comment. */
const BODY_LIMIT = 16_000
/** What readers send: votes, and the comments that follow them. */
const VOTE = /^(?!\/api\/)\/[^/]+\/articles\/[^/]+\/vote$/

/**
 * Serves help centers: below `/help/<slug>` on the installation's host, and on hosts of their own, which answer nothing
 * else.
 */
export function serveHelpPages(app: FastifyInstance, context: Context, { limit }: PageTools) {
  const { db, files, config } = context

  async function file(request: FastifyRequest, reply: FastifyReply, id: string) {
    const publicFile = isId(id) ? await findPublicFile(db, id.toLowerCase()) : undefined
    if (!publicFile) throw new NotFound()
    return sendFile(request, reply, files, publicFile, 'public, max-age=86400')
  }

  async function below(request: FastifyRequest, reply: FastifyReply) {
    const [path, query] = partsOf(request.url)
    const [slug = '', ...rest] = path.slice('/help/'.length).split('/')
    if (slug === 'files') return file(request, reply, rest[0] ?? '')
    const center = await helpCenters(context).find({ slug: slug.toLowerCase() })
    if (!center) throw new NotFound('This help center does not exist.')
    const root = `/help/${encodeURIComponent(center.slug)}`
    return answerHelp(context, limit, request, reply, { center, root, path: rest.join('/'), query })
  }

  app.get('/help/*', below)
  app.post('/help/*', { bodyLimit: BODY_LIMIT }, below)

  app.get('/robots.txt', async (_request, reply) => {
    const sitemaps = (await listIndexedCenters(db)).map(
      ({ slug }) =>
        `Sitemap: ${urlOfCenter(config.baseUrl, { slug, domain: null, domain_verified_at: null })}/sitemap.xml\n`,
    )
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(`User-agent: *\nAllow: /\n\n${sitemaps.join('')}`)
  })

  /** Asked by proxies before they get a certificate for a host: 200 only for hosts of published help centers. */
  app.get<{ Querystring: { domain?: string } }>('/help-domains', async (request, reply) => {
    const { domain } = request.query
    const center = typeof domain === 'string' ? await findByHost(domain) : undefined
    return reply
      .status(center ? 200 : 404)
      .type('text/plain')
      .send(center ? 'yes' : 'no')
  })

  const findByHost = (host: string) => helpCenters(context).find({ domain: host.toLowerCase().slice(0, 255) })

  /** Requests to own hosts whose bodies have to arrive before they are answered. */
  const arriving = new WeakMap<FastifyRequest, HelpRequest>()

  app.addHook('onRequest', async (request, reply) => {
    const { hostname } = request
    if (!/[a-z]/i.test(hostname) || hostname === 'localhost' || hostname === new URL(config.baseUrl).hostname) return
    const center = await findByHost(hostname)
    if (!center) return
    const [path, query] = partsOf(request.url)
    if (!/^(GET|HEAD|POST)$/.test(request.method)) throw new NotFound()
    if (path.startsWith(FILES)) {
      await file(request, reply, path.slice(FILES.length).split('/')[0] ?? '')
      return
    }
    const wanted = { center, root: '', path: path.slice(1), query }
    if (request.method !== 'POST') await answerHelp(context, limit, request, reply, wanted)
    else if (VOTE.test(path) && Number(request.headers['content-length'] ?? 0) <= BODY_LIMIT)
      arriving.set(request, wanted)
    else throw new NotFound()
  })

  app.addHook('preHandler', async (request, reply) => {
    const wanted = arriving.get(request)
    if (wanted) await answerHelp(context, limit, request, reply, wanted)
  })
}

/** The decoded path without a slash at its end, and the parameters. */
function partsOf(url: string): [string, Record<string, unknown>] {
  const [path = '', ...query] = url.split('?')
  const parameters = qs.parse(query.join('?'), { depth: 0, parameterLimit: 20 })
  try {
    return [decodeURIComponent(path).normalize('NFC').replace(/\/+$/, ''), parameters]
  } catch {
    throw new NotFound()
  }
}
