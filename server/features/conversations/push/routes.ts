import { userName } from '#contract/accounts/users.ts'
import { push } from '#contract/conversations/push.ts'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { newId } from '../../../platform/secrets.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { getUser } from '../../accounts/users/users.ts'
import { deliverPush } from './deliver.ts'
import { findRecipient, listDevices, registerDevice, removeDevice, removeDevicesOf, renewDevice } from './devices.ts'
import { loadPushKeys, readPushSender } from './keys.ts'
import { writeTest } from './payload.ts'
import { recordDelivery } from './send-push.ts'
import { readPushSettings, savePushSettings } from './settings.ts'

export function registerPushRoutes(routes: Routes, context: Context) {
  const { config, db, change } = context

  routes.route(push.status, async () => {
    const { publicKey } = await loadPushKeys(context)
    const sender = readPushSender(config)
    return { data: { public_key: publicKey, problem: 'problem' in sender ? sender.problem : null } }
  })
  routes.route(push.listDevices, async ({ caller }) => ({ data: await listDevices(db, caller) }))
  routes.route(push.registerDevice, async ({ caller, body: { device }, request }) => ({
    data: await change((tx) =>
      registerDevice(context, tx, caller, { ...device, user_agent: request.headers['user-agent'] }),
    ),
  }))
  routes.route(push.renewDevice, async ({ body }) => {
    await change((tx) => renewDevice(context, tx, body.old_endpoint, body.subscription))
    return { data: { ok: true } }
  })
  routes.route(push.removeDevice, async ({ caller, params }) => {
    await change((tx) => removeDevice(tx, caller, params.id))
    return null
  })
  routes.route(push.testDevice, async ({ caller, params }) => {
    const recipient = await findRecipient(context, caller.account_id, params.id)
    if (recipient?.user_id !== caller.user_id) throw new NotFound()
    const delivery = await deliverPush(context, recipient, await writeTest(context, recipient, newId()))
    await recordDelivery(db, recipient, delivery)
    return { data: { problem: problemIn(delivery) } }
  })
  routes.route(push.removeDevicesOfUser, async ({ caller, params: { id } }) => {
    await change(async (tx) => {
      const user = await getUser(tx.db, caller.account_id, id)
      const count = await removeDevicesOf(tx, caller.account_id, id)
      if (count > 0)
        await recordAudit(tx, caller, {
          action: 'user.push_devices_removed',
          subject_id: id,
          subject_name: userName(user),
          details: { count },
        })
    })
    return null
  })
  routes.route(push.getSettings, async ({ caller }) => ({
    data: await readPushSettings(db, caller.account_id, caller.user_id),
  }))
  routes.route(push.updateSettings, async ({ caller, body }) => ({
    data: await change((tx) => savePushSettings(tx, caller.account_id, caller.user_id, body.push_settings)),
  }))
}

/** What the user is told who tried a device. */
function problemIn(delivery: Awaited<ReturnType<typeof deliverPush>>): string | null {
  if (delivery.kind === 'accepted') return null
  if (delivery.kind === 'unsubscribed')
    return 'The push service no longer knows this device, so it was removed. Turn notifications on again there.'
  return delivery.problem
}
