import { eventSubscriptions } from '#contract/developers/webhooks.ts'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { getDelivery, listDeliveries, resendDelivery, resendSince } from './deliveries.ts'
import { dispatcherOf } from './dispatcher.ts'
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  updateSubscription,
} from './subscriptions.ts'
import { verifyUrl } from './verify-url.ts'
import { makeSecret, readSecrets } from './webhook-secrets.ts'

export function registerEventSubscriptionsRoutes(routes: Routes, context: Context) {
  registerSubscriptionsRoutes(routes, context)
  registerSecretsRoutes(routes, context)
  registerDeliveriesRoutes(routes, context)
}

function registerSubscriptionsRoutes(routes: Routes, context: Context) {
  const { db, change, keys } = context
  routes.route(eventSubscriptions.list, async ({ caller }) => ({
    data: await listSubscriptions(db, caller.account_id),
  }))
  routes.route(eventSubscriptions.get, async ({ caller, params }) => ({
    data: await getSubscription(db, caller.account_id, params.id),
  }))
  routes.route(eventSubscriptions.verify, async ({ body }) => ({
    data: await verifyUrl(context, body.url),
  }))
  routes.route(eventSubscriptions.create, async ({ caller, body: { event_subscription } }) => {
    const { verified } = await verifyUrl(context, event_subscription.webhook_url)
    const data = await change(async (tx) => {
      const made = await createSubscription(tx, keys, caller.account_id, { ...event_subscription, verified })
      await note(tx, caller, 'webhook.created', made.id)
      return made
    })
    return { data }
  })
  routes.route(eventSubscriptions.update, async ({ caller, params, body: { event_subscription } }) => {
    const { webhook_url } = event_subscription
    // If no address is given, the old one stays verified.
    const verified = webhook_url ? { verified: (await verifyUrl(context, webhook_url)).verified } : {}
    const data = await change(async (tx) => {
      const changed = await updateSubscription(tx, caller.account_id, params.id, {
        ...event_subscription,
        ...verified,
      })
      await note(tx, caller, 'webhook.updated', changed.id)
      return changed
    })
    dispatcherOf(context).wake()
    return { data }
  })
  routes.route(eventSubscriptions.remove, ({ caller, params }) =>
    change(async (tx) => {
      await note(tx, caller, 'webhook.deleted', params.id)
      return deleteSubscription(tx, caller.account_id, params.id)
    }),
  )
}

function registerSecretsRoutes(routes: Routes, { change, keys }: Context) {
  routes.route(eventSubscriptions.reveal, async ({ caller: { account_id, ...caller }, params: { id } }) => {
    const secret = await change(async (tx) => {
      await note(tx, { ...caller, account_id }, 'webhook.secret_revealed', id)
      return (await readSecrets(tx.db, keys, { account_id, subscription_id: id }))[0]
    })
    if (!secret) throw new NotFound('The secret of this webhook cannot be shown. Create a new one.')
    return { data: { secret } }
  })
  routes.route(eventSubscriptions.rotate, async ({ caller: { account_id, ...caller }, params: { id } }) => {
    const secret = await change(async (tx) => {
      await note(tx, { ...caller, account_id }, 'webhook.secret_rotated', id)
      return makeSecret(tx, keys, { account_id, subscription_id: id })
    })
    return { data: { secret } }
  })
}

function registerDeliveriesRoutes(routes: Routes, context: Context) {
  const { db, change } = context
  routes.route(eventSubscriptions.deliveries, async ({ caller: { account_id }, params: { id }, query }) => {
    await getSubscription(db, account_id, id)
    return listDeliveries(db, { account_id, subscription_id: id }, query)
  })
  routes.route(eventSubscriptions.delivery, async ({ caller: { account_id }, params: { id, delivery_id } }) => ({
    data: await getDelivery(db, { account_id, subscription_id: id }, delivery_id),
  }))
  routes.route(eventSubscriptions.resend, async ({ caller: { account_id }, params: { id, delivery_id } }) => {
    const data = await change((tx) => resendDelivery(tx, { account_id, subscription_id: id }, delivery_id))
    dispatcherOf(context).wake()
    return { data }
  })
  routes.route(eventSubscriptions.resendSince, async ({ caller: { account_id }, params: { id }, body }) => {
    const count = await change((tx) => resendSince(tx, { account_id, subscription_id: id }, body.since))
    dispatcherOf(context).wake()
    return { data: { count } }
  })
}

async function note(tx: Change, caller: User, action: string, id: string): Promise<void> {
  const { webhook_url } = await getSubscription(tx.db, caller.account_id, id)
  await recordAudit(tx, caller, { action, subject_id: id, subject_name: webhook_url })
}
