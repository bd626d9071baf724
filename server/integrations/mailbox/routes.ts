import { mailbox } from '#contract/integrations/mailbox.ts'
import type { Context } from '../../context.ts'
import { NotFound, Refusal } from '../../errors.ts'
import { getAuthorization, loadConnected } from '../../features/connections/authorizations/authorizations.ts'
import { sentenceOf } from '../../features/connections/authorizations/health.ts'
import { disconnect } from '../../features/connections/integrations/disconnect.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { connectMailbox, findMailbox, listFolders, type Mailbox, presentMailbox } from './mailbox.ts'

export function registerMailboxRoutes(routes: Routes, context: Context) {
  routes.route(mailbox.connect, async ({ caller, body }) => ({
    data: { ok: true, id: (await connectMailbox(context, caller, body.authorization)).id },
  }))
  routes.route(mailbox.get, async ({ caller, query }) => {
    const connection = await findMailbox(context, caller.account_id, query.inbox_id)
    return { data: connection ? presentMailbox(connection) : null }
  })
  routes.route(mailbox.folders, async ({ caller, params }) => {
    await assertSameMailbox(caller.account_id, params.id)
    const connection = await loadConnected<Mailbox>(context, caller.account_id, params.id)
    if (!connection) throw new NotFound()
    const folders = await listFolders(context, connection).catch((error: unknown) => {
      throw new Refusal(422, sentenceOf(error))
    })
    return { data: folders }
  })
  routes.route(mailbox.remove, async ({ caller, params }) => {
    await assertSameMailbox(caller.account_id, params.id)
    return disconnect(context, caller, params.id, { discard: false })
  })

  /** Connections of other integrations have calls of their own. */
  async function assertSameMailbox(account_id: string, id: string): Promise<void> {
    const { integration } = await getAuthorization(context.db, account_id, id)
    if (integration !== 'mailbox') throw new NotFound()
  }
}
