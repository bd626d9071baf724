import { signedIdentity } from '#contract/signed-identity.ts'
import type { Parley } from '../../parley.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { noteDeed } from '../audit/audit.ts'
import { createSecret, getSignedIdentity, removeSecret, requireSignature } from './secrets.ts'

const OVERLAP_HOURS = 24

export function openSignedIdentity(routes: Routes, { config, db, change }: Parley) {
  routes.route(signedIdentity.get, async ({ caller, params }) => ({
    data: await getSignedIdentity(db, caller.account_id, params.id),
  }))
  routes.route(signedIdentity.require, async ({ caller, params, body: { signed_identity } }) => {
    const { is_required } = signed_identity
    const data = await change(async (open) => {
      const action = is_required ? 'inbox.signed_identity_required' : 'inbox.signed_identity_optional'
      await noteDeed(open, caller, { action, subject_id: params.id })
      return requireSignature(open, caller.account_id, params.id, is_required)
    })
    return { data }
  })
  routes.route(signedIdentity.createSecret, async ({ caller, params, body: { identity_secret } }) => {
    const place = { account_id: caller.account_id, inbox_id: params.id }
    const data = await change(async (open) => {
      const created = await createSecret(
        open,
        config.secretKey!,
        place,
        identity_secret?.overlap_hours ?? OVERLAP_HOURS,
      )
      const details = { secret_id: created.id }
      await noteDeed(open, caller, { action: 'inbox.identity_secret_created', subject_id: params.id, details })
      return created
    })
    return { data }
  })
  routes.route(signedIdentity.removeSecret, async ({ caller, params }) => {
    await change(async (open) => {
      await removeSecret(open, caller.account_id, params.id, params.secret_id)
      const details = { secret_id: params.secret_id }
      await noteDeed(open, caller, { action: 'inbox.identity_secret_removed', subject_id: params.id, details })
    })
    return null
  })
}
