import { helpCenter } from '#contract/help/help-center.ts'
import type { Context } from '../../../context.ts'
import { defineFeature } from '../../../feature.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { assertProven } from './domain-proof.ts'
import { presentHelpCenter, readHelpCenter, updateHelpCenter, verifyDomain } from './help-center.ts'

function registerHelpCenterRoutes(routes: Routes, { db, change, config }: Context) {
  routes.route(helpCenter.get, async ({ caller }) => ({
    data: presentHelpCenter(config, await readHelpCenter(db, caller.account_id)),
  }))
  routes.route(helpCenter.update, async ({ caller, body }) => ({
    data: await change((tx) => updateHelpCenter(tx, config, caller, body.help_center)),
  }))
  routes.route(helpCenter.checkDomain, async ({ caller }) => {
    const center = await readHelpCenter(db, caller.account_id)
    await assertProven(config, center)
    return { data: await change((tx) => verifyDomain(tx, config, caller, center.domain!)) }
  })
}

export const helpCenterFeature = defineFeature({
  name: 'help-center',
  calls: [helpCenter],
  routes: [registerHelpCenterRoutes],
})
