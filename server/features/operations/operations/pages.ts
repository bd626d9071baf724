import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { hasAccounts } from '../../accounts/accounts/accounts.ts'
import { serveAppManifest } from './app-manifest.ts'
import { serveDocumentation } from './documentation.ts'
import { browserEnvironment } from './environment.ts'

/** Documentation of the calls, the dashboard's manifest as an app, and the settings it needs before its first call. */
export function servePagesOfOperators(app: FastifyInstance, context: Context): void {
  const { config } = context
  serveDocumentation(app, context)
  serveAppManifest(app)
  // The address of Papercups' documentation.
  app.get('/api/swagger', (_request, reply) => reply.redirect('/api/docs'))
  const isNew = newness(context)
  app.get('/env.js', async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(browserEnvironment(config, { isNew: await isNew() })),
  )
}

/** Whether there is no account yet. Once there is one, the database is not asked again. */
function newness({ db }: Context): () => Promise<boolean> {
  let isNew = true
  return async () => {
    if (isNew) isNew = !(await hasAccounts(db))
    return isNew
  }
}
