import { notifications } from '#contract/conversations/notifications.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { unsubscribe } from './unsubscribing.ts'

export function registerNotificationsRoutes(routes: Routes, { config, change }: Context) {
  routes.route(notifications.unsubscribe, async ({ params }) => {
    await change((tx) => unsubscribe(tx, config.secretKey!, params.token))
    return { data: { ok: true } }
  })
}
