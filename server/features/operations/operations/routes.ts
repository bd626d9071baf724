import { operations } from '#contract/operations/operations.ts'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { newId } from '../../../platform/secrets.ts'
import { getUser } from '../../accounts/users/users.ts'
import { writeMail } from '../../mail/mails/mails.ts'
import { changeAddress, readAddress } from './address.ts'
import { operatorMail } from './mail-templates.ts'
import { checkReadiness } from './readiness.ts'

export function registerOperationsRoutes(routes: Routes, context: Context) {
  const { db, change, config, jobs } = context
  routes.route(operations.health, ({ reply }) => {
    const ok = !context.isStopping()
    if (!ok) reply.status(503)
    return { ok, version: context.version, uptime_seconds: Math.round(process.uptime()) }
  })
  routes.route(operations.ready, async ({ reply }) => {
    const readiness = await checkReadiness(context)
    if (!readiness.ok) reply.status(503)
    return readiness
  })
  const pong = ({ query, body }: { query: unknown; body: unknown }) => ({
    data: { message: 'Pong!' as const, params: { ...(query as object), ...(body as object) } },
  })
  routes.route(operations.ping, ({ request }) => pong(request))
  routes.route(operations.pingPost, ({ request }) => pong(request))

  routes.route(operations.notifyOperator, async ({ caller, body }) => {
    const recipient = config.operatorEmail
    if (!recipient) return { data: { success: false, error: 'There is no contact address. Set OPERATOR_EMAIL.' } }
    const { email } = await getUser(db, caller.account_id, caller.user_id)
    const content = operatorMail({ ...body, email, account_id: caller.account_id })
    const mail = { id: newId(), kind: 'operator' as const, recipient, reply_to: email, content }
    await change((tx) => writeMail(context, tx, caller.account_id, mail))
    return { data: { success: true, result: mail.id } }
  })
  routes.route(operations.address, async ({ caller }) => ({ data: await readAddress(context, caller) }))
  routes.route(operations.changeAddress, async ({ caller, body: { base_url } }) => {
    await changeAddress(context, caller, base_url)
    return { data: { base_url, may_change: true } }
  })
  routes.route(operations.deadJobs, async ({ caller }) => ({ data: await jobs.listDeadJobs(caller.account_id) }))
  routes.route(operations.retryDeadJob, async ({ caller, params }) => {
    if (!(await jobs.retryDeadJob(caller.account_id, params.id))) throw new NotFound()
    return { data: { ok: true } }
  })
}
