import { apiKeys } from '#contract/developers/api-keys.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { createApiKey, deleteApiKey, getApiKey, listKeysWithNew, listMaskedKeys, revealApiKey } from './api-keys.ts'

export function registerApiKeysRoutes(routes: Routes, { db, change, keys }: Context) {
  routes.route(apiKeys.list, async ({ caller, query: { masked } }) => ({
    data: masked ? await listMaskedKeys(db, caller) : await change((tx) => listKeysWithNew(tx, keys, caller)),
  }))
  routes.route(apiKeys.get, async ({ caller, params }) => ({ data: await getApiKey(db, caller, params.id) }))
  routes.route(apiKeys.create, async ({ caller, body }) => {
    const data = await change(async (tx) => {
      const key = await createApiKey(tx, keys, caller, body)
      const details = { scope: key.scope, expires_at: key.expires_at }
      await recordAudit(tx, caller, {
        action: 'api_key.created',
        subject_id: key.id,
        subject_name: key.label,
        details,
      })
      return key
    })
    return { data }
  })
  routes.route(apiKeys.reveal, async ({ caller, params }) => {
    const data = await change(async (tx) => {
      const key = await revealApiKey(tx.db, keys, caller, params.id)
      await recordAudit(tx, caller, { action: 'api_key.revealed', subject_id: key.id, subject_name: key.label })
      return key
    })
    return { data }
  })
  routes.route(apiKeys.remove, async ({ caller, params }) => {
    await change(async (tx) => {
      const { id, label } = await getApiKey(tx.db, caller, params.id)
      await deleteApiKey(tx, caller, id)
      await recordAudit(tx, caller, { action: 'api_key.deleted', subject_id: id, subject_name: label })
    })
    return null
  })
}
