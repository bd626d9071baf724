import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import qs from 'qs'
import { BODY_LIMIT } from '#contract/endpoint.ts'
import { BadRequest, Refusal } from '../../errors.ts'
import { isOwnRequest, isRequestId } from '../request-id.ts'
import { ARRIVAL_LIMITS, type ArrivalLimits, watchBodies } from './arriving-bodies.ts'
import { readBodies } from './bodies.ts'
import { answerClientError } from './client-errors.ts'
import { acceptMany, stopInTime } from './listening.ts'
import { createProxyHint } from './proxy-hint.ts'
import { answerError } from './responses.ts'

/** Otherwise Fastify loads its own validator and serializer, a hundred unused modules. */
const WITHOUT_SCHEMAS = { buildValidator: rejectSchemas, buildSerializer: rejectSchemas }

function rejectSchemas(): never {
  throw new Error('Routes must not have a JSON schema: requests are parsed with the schemas of the contract.')
}

/** Maximum number of query parameters, and of items in a list. */
const QUERY_LIMIT = 200
/** Time for receiving a whole request, such as a large file over a slow connection. */
const REQUEST_MS = 300_000
/** Time for receiving the headers, and how often both are checked. */
const HEADERS_MS = 20_000
const CHECK_MS = 5_000
/** Time for open requests once the server stops. */
const STOP_MS = 10_000

/**
 * An HTTP server compatible with Papercups: JSON, forms and multipart alike, bracketed names, `/api` under its
 * other names, `_method`, CORS for every origin. Routes are added by the caller.
 */
export async function createHttpServer(
  log: FastifyBaseLogger,
  trustedProxies: number,
  { stopMs = STOP_MS, arrivals = ARRIVAL_LIMITS }: { stopMs?: number; arrivals?: ArrivalLimits } = {},
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    requestTimeout: REQUEST_MS,
    clientErrorHandler: answerClientError,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_MS },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: BODY_LIMIT,
    trustProxy: (_address, hop) => hop < trustedProxies,
    rewriteUrl: (request) => {
      overrideMethod(request)
      return canonicalPath(request.url ?? '/')
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 300,
      querystringParser: (text) =>
        qs.parse(text, { strictNullHandling: true, depth: 3, parameterLimit: QUERY_LIMIT, arrayLimit: QUERY_LIMIT }),
    },
    // Unreadable addresses bypass hooks, but their clients need the CORS headers to read the answer.
    frameworkErrors: (error, request, reply) => {
      allowEveryOrigin(request, reply.header.bind(reply))
      reply.header('cache-control', 'no-store')
      return answerError(error, request, reply)
    },
    // Request ids are only accepted from a proxy and from this server itself.
    genReqId: ({ headers }) => {
      const requestId = headers['x-request-id']
      return isOwnRequest(requestId) || (trustedProxies > 0 && isRequestId(requestId)) ? requestId : randomUUID()
    },
    return503OnClosing: true,
    schemaController: { compilersFactory: WITHOUT_SCHEMAS },
    forceCloseConnections: 'idle',
  })
  watchBodies(app, arrivals)
  readBodies(app)
  stopInTime(app, stopMs)
  acceptMany(app)
  await app.register(cookie)
  await compressLongResponses(app)
  app.setErrorHandler(answerError)
  const hintAtProxies = createProxyHint(log, trustedProxies)
  app.addHook('onRequest', async (request, reply) => {
    hintAtProxies(request)
    reply.header('x-request-id', request.id)
    // No proxy or browser keeps what was meant for one caller. Routes whose answers may be kept replace this.
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    // The database cannot store NUL characters, in any field.
    if (/%00/.test(request.url)) throw new BadRequest()
    if (!request.url.startsWith('/api/')) return
    allowEveryOrigin(request, reply.header.bind(reply))
    const isForPeople = /^\/api\/docs\b/.test(request.url)
    if (!isForPeople && !acceptsJson(request.headers.accept))
      throw new Refusal(406, 'Responses are available as JSON only.')
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.debug({
      method: request.method,
      url: pathOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    })
  })
  app.options('/api/*', async (_request, reply) => {
    reply.header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
    reply.header(
      'access-control-allow-headers',
      'Content-Type, Authorization, X-Requested-With, Domain, Idempotency-Key, If-Match',
    )
    reply.header('access-control-max-age', '86400')
    return reply.status(200).send()
  })
  return app
}

/** In characters. Shorter responses are sent faster than compressing would save, even over a slow connection. */
const LONG = 200_000

/**
 * Uncompressed, all saved replies of a large team take twenty seconds over a slow connection. Requests that other sites
 * cause in a browser carry no token, so the length of a compressed response reveals nothing.
 */
async function compressLongResponses(app: FastifyInstance) {
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['gzip'],
    threshold: LONG,
    customTypes: /^application\/json/,
    // Most of the saving, for a fraction of the work.
    zlibOptions: { level: 3 },
  })
}

/** `POST …?_method=DELETE`; the same in a body is handled by the routes, which see it later. */
function overrideMethod(request: { method?: string; url?: string }) {
  const wish = request.method === 'POST' && /[?&]_method=(put|patch|delete)\b/i.exec(request.url ?? '')?.[1]
  if (wish) request.method = wish.toUpperCase()
}

/**
 * The canonical path of a call. Existing clients follow no redirects, so its other names are aliases: `/api/k`;
 * `/api/v1`, where profile and settings contain an unused id; and double slashes, caused by a base address that ends in
 * one.
 */
function canonicalPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  if (!path.startsWith('/')) return url
  const plain = path
    .replace(/\/{2,}/g, '/')
    .replace(/^\/api\/v1\/(profile|user_settings)\/[^/]+/, '/api/$1')
    .replace(/^\/api\/(k|v1)(?=\/)/, '/api')
  return plain + url.slice(path.length)
}

function acceptsJson(accept: string | undefined): boolean {
  return !accept || /\*\/\*|application\/(\*|json)/i.test(accept)
}

/** Query strings can contain tokens, so logs only contain the path. */
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}

/** Safe with credentials only because no call is authorised by a cookie. */
function allowEveryOrigin({ headers }: FastifyRequest, header: (name: string, value: string) => unknown) {
  header('vary', 'origin')
  if (!headers.origin) return
  header('access-control-allow-origin', headers.origin)
  header('access-control-allow-credentials', 'true')
  header('access-control-expose-headers', 'ETag, Location, Retry-After, X-Request-Id')
}
