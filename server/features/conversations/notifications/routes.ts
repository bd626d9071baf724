import { notifications } from '#contract/conversations/notifications.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { unsubscribe } from './reply-mail.ts'

export function openNotifications(routes: Routes, { config, change }: Context) {
  routes.route(notifications.unsubscribe, async ({ params }) => {
    await change((open) => unsubscribe(open, config.secretKey!, params.token))
    return { data: { ok: true } }
  })
}
