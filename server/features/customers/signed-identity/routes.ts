import { signedIdentity } from '#contract/customers/signed-identity.ts'
import type { Context } from '../../../context.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { getInbox } from '../../widget/inboxes/inboxes.ts'
import { createSecret, getSignedIdentity, removeSecret, requireSignature } from './secrets.ts'

const OVERLAP_HOURS = 24

/** Records who changed the requirements for an inbox's visitors. */
async function recordInboxAction(tx: Change, caller: User, id: string, action: string, details = {}) {
  const { name } = await getInbox(tx.db, caller.account_id, id)
  await recordAudit(tx, caller, { action, subject_id: id, subject_name: name, details })
}

export function registerSignedIdentityRoutes(routes: Routes, { db, change, keys }: Context) {
  routes.route(signedIdentity.get, async ({ caller, params }) => ({
    data: await getSignedIdentity(db, caller.account_id, params.id),
  }))
  routes.route(signedIdentity.require, async ({ caller, params, body: { signed_identity } }) => {
    const { is_required } = signed_identity
    const data = await change(async (tx) => {
      const action = is_required ? 'inbox.signed_identity_required' : 'inbox.signed_identity_optional'
      await recordInboxAction(tx, caller, params.id, action)
      return requireSignature(tx, caller.account_id, params.id, is_required)
    })
    return { data }
  })
  routes.route(signedIdentity.createSecret, async ({ caller, params, body: { identity_secret } }) => {
    const inboxKey = { account_id: caller.account_id, inbox_id: params.id }
    const data = await change(async (tx) => {
      const created = await createSecret(tx, keys, inboxKey, identity_secret?.overlap_hours ?? OVERLAP_HOURS)
      await recordInboxAction(tx, caller, params.id, 'inbox.identity_secret_created', { secret_id: created.id })
      return created
    })
    return { data }
  })
  routes.route(signedIdentity.removeSecret, async ({ caller, params }) => {
    await change(async (tx) => {
      await removeSecret(tx, caller.account_id, params.id, params.secret_id)
      await recordInboxAction(tx, caller, params.id, 'inbox.identity_secret_removed', { secret_id: params.secret_id })
    })
    return null
  })
}
