import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serveDocumentation } from './documentation.ts'
import { browserEnvironment } from './environment.ts'

/** The documentation of the calls, for people and for programs, and what the dashboard must know before its first call. */
export function servePagesOfOperators(app: FastifyInstance, context: Context): void {
  const { config } = context
  serveDocumentation(app, context)
  // Where the predecessor had its own.
  app.get('/api/swagger', (_request, reply) => reply.redirect('/api/docs'))
  app.get('/env.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(browserEnvironment(config)),
  )
}
