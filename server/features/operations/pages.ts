import type { FastifyInstance } from 'fastify'
import { features } from '#contract/index.ts'
import type { Context } from '../../context.ts'
import { describeApi } from '../../platform/http/openapi.ts'
import { documentationPage } from './documentation.ts'
import { browserEnvironment } from './environment.ts'

const DOCUMENT_CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"

/** The documentation of the calls, for people and for programs, and what the dashboard must know before its first call. */
export function servePagesOfOperators(app: FastifyInstance, { config, version }: Context): void {
  app.get('/api/openapi.json', async () => describeApi(features, version, config.baseUrl))
  const page = documentationPage(features)
  app.get('/api/docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', DOCUMENT_CSP).send(page),
  )
  // Where the predecessor had its own.
  app.get('/api/swagger', (_request, reply) => reply.redirect('/api/docs'))
  app.get('/env.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(browserEnvironment(config)),
  )
}
