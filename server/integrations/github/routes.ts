import { github } from '#contract/integrations/github.ts'
import type { Context } from '../../context.ts'
import { disconnectOne } from '../../features/connections/integrations/disconnect.ts'
import { finishWithoutState } from '../../features/connections/integrations/oauth.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { describeGithub, listVisible, saveGithubSettings } from './authorization.ts'
import { connectWithToken } from './connect.ts'
import { createGithubIssue, fetchIssues } from './issues.ts'
import { receiveEvent } from './webhook.ts'

export function registerGithubRoutes(routes: Routes, context: Context) {
  routes.route(github.oauth, async ({ caller, query }) => {
    const returned = { type: 'support' as const, inbox_id: null, ...query }
    return { data: { ok: true, ...(await finishWithoutState(context, caller, 'github', returned)) } }
  })
  routes.route(github.connect, async ({ caller, body }) => {
    const { id } = await connectWithToken(context, caller, body.authorization.access_token)
    return { data: { ok: true, id } }
  })
  routes.route(github.get, async ({ caller }) => ({ data: await describeGithub(context, caller.account_id) }))
  routes.route(github.saveSettings, async ({ caller, params, body }) => ({
    data: await saveGithubSettings(context, caller, params.id, body.settings),
  }))
  routes.route(github.remove, ({ caller, params }) => disconnectOne(context, caller, params.id, 'github'))
  routes.route(github.repositories, async ({ caller }) => ({ data: await listVisible(context, caller.account_id) }))
  routes.route(github.issues, async ({ caller, query }) => ({
    data: await fetchIssues(context, caller.account_id, query),
  }))
  routes.route(github.createIssue, async ({ caller, body }) => ({
    data: await createGithubIssue(context, caller.account_id, body),
  }))
  routes.route(github.webhook, async ({ request, query, body }) => {
    const { 'x-github-delivery': id = '', 'x-github-event': type = '' } = request.headers
    await receiveEvent(context, { id: String(id), type: String(type), account_id: query.account }, body)
    return { ok: true }
  })
}
