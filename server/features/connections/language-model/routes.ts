import { languageModel } from '#contract/connections/language-model.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { listModels } from './list-models.ts'
import { describeModel } from './model.ts'
import { changeSettings, keyFor, loadSettings, loadUsage, removeModel } from './settings.ts'

export function registerLanguageModelRoutes(routes: Routes, context: Context) {
  const { db, change } = context
  routes.route(languageModel.get, async ({ caller }) => ({ data: await describeModel(db, caller.account_id) }))

  routes.route(languageModel.settings, async ({ caller }) => ({ data: await loadSettings(db, caller.account_id) }))

  routes.route(languageModel.change, async ({ caller, body }) => ({
    data: await changeSettings(context, caller, body),
  }))

  routes.route(languageModel.remove, async ({ caller }) => {
    await change((tx) => removeModel(tx, caller))
    return null
  })

  routes.route(languageModel.models, async ({ caller, body }) => {
    const key = await keyFor(context, caller.account_id, body)
    return { data: await listModels(context, { base_url: body.base_url, key }) }
  })

  routes.route(languageModel.usage, async ({ caller }) => ({ data: await loadUsage(db, caller.account_id) }))
}
