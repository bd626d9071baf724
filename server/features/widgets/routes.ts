import { widgets } from '#contract/widgets.ts'
import { isId } from '#contract/wire.ts'
import { NotFound, Unacceptable } from '../../errors.ts'
import type { Parley } from '../../parley.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { findPublicAccount } from '../accounts/accounts.ts'
import { noteDeed } from '../audit/audit.ts'
import { chooseInbox } from '../inboxes/inboxes.ts'
import { findWidgetSettings, noteSighting, updateWidgetSettings } from '../inboxes/widget-settings.ts'

export function openWidgets(routes: Routes, { db, change }: Parley) {
  async function find(account_id: string, inbox_id: string | null | undefined) {
    const account = isId(account_id) ? await findPublicAccount(db, account_id, new Date()) : undefined
    const inbox = account && (await chooseInbox(db, account.id, inbox_id))
    const settings = inbox && (await findWidgetSettings(db, account.id, inbox.id))
    if (!settings) {
      throw new NotFound(`No account found with ID: ${account_id}. Are you pointing at the correct host?`)
    }
    return { settings, account }
  }

  routes.route(widgets.settings, async ({ caller, query, request }) => {
    const account_id = caller.kind === 'user' ? caller.account_id : query.account_id
    if (!account_id) {
      throw new Unacceptable('The account_id is a required parameter', {
        received: Object.keys(request.query as object),
      })
    }
    const { settings, account } = await find(account_id, query.inbox_id)
    return { data: { ...settings, account } }
  })

  routes.route(widgets.update, async ({ caller, body }) => {
    const { inbox_id: chosen, ...changes } = body.widget_settings
    const { account_id } = caller
    const inbox = await chooseInbox(db, account_id, chosen)
    if (!inbox) throw new NotFound()
    await change(async (open) => {
      const fields = await updateWidgetSettings(open, account_id, inbox.id, changes)
      const deed = { action: 'inbox.widget_settings_updated', subject_id: inbox.id, details: { fields } }
      if (fields.length > 0) await noteDeed(open, caller, deed)
    })
    const { settings, account } = await find(account_id, inbox.id)
    return { data: { ...settings, account } }
  })

  routes.route(widgets.seen, async ({ body }) => {
    const { settings } = await find(body.account_id, body.inbox_id)
    await change((open) => noteSighting(open, settings.account_id, settings.inbox_id, body.metadata))
    return { data: settings }
  })
}
