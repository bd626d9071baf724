import { helpCenter } from '#contract/help/help-center.ts'
import type { Context } from '../../../context.ts'
import { defineFeature } from '../../../feature.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { presentHelpCenter, readHelpCenter, updateHelpCenter } from './help-center.ts'

function registerHelpCenterRoutes(routes: Routes, { db, change, config }: Context) {
  routes.route(helpCenter.get, async ({ caller }) => ({
    data: presentHelpCenter(config, await readHelpCenter(db, caller.account_id)),
  }))
  routes.route(helpCenter.update, async ({ caller, body }) => ({
    data: await change((tx) => updateHelpCenter(tx, config, caller, body.help_center)),
  }))
}

export const helpCenterFeature = defineFeature({
  name: 'help-center',
  calls: [helpCenter],
  routes: [registerHelpCenterRoutes],
})
