import { erasure } from '#contract/erasure.ts'
import type { Parley } from '../../parley.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { noteDeed } from '../audit/audit.ts'
import { eraseEverything } from './erasing.ts'
import { exportCustomer } from './exporting.ts'

export function openErasure(routes: Routes, parley: Parley) {
  const { db, change } = parley
  routes.route(erasure.export, async ({ caller, params, reply }) => {
    const everything = await exportCustomer(db, caller.account_id, params.id)
    await change((open) => noteDeed(open, caller, { action: 'customer.exported', subject_id: params.id }))
    reply.header('content-disposition', `attachment; filename="customer-${params.id}.json"`)
    return everything
  })
  routes.route(erasure.erase, async ({ caller, params }) => ({
    data: await eraseEverything(parley, caller, params.id),
  }))
}
