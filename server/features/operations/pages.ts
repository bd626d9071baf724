import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { hasAccounts } from '../accounts/accounts.ts'
import { serveDocumentation } from './documentation.ts'
import { browserEnvironment } from './environment.ts'

/** The documentation of the calls, for people and for programs, and what the dashboard must know before its first call. */
export function servePagesOfOperators(app: FastifyInstance, context: Context): void {
  const { config } = context
  serveDocumentation(app, context)
  // Where the predecessor had its own.
  app.get('/api/swagger', (_request, reply) => reply.redirect('/api/docs'))
  const isNew = newness(context)
  app.get('/env.js', async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(browserEnvironment(config, { isNew: await isNew() })),
  )
}

/** Tells whether nobody has an account here yet. Once there is one, the database is not asked again. */
function newness({ db }: Context): () => Promise<boolean> {
  let isNew = true
  return async () => {
    if (isNew) isNew = !(await hasAccounts(db))
    return isNew
  }
}
