import { operations } from '#contract/operations.ts'
import { NotFound } from '../../errors.ts'
import type { Parley } from '../../parley.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { checkReadiness } from './readiness.ts'

export function openOperations(routes: Routes, parley: Parley) {
  const { jobs } = parley
  routes.route(operations.health, () => ({
    ok: true,
    version: parley.version,
    uptime_seconds: Math.round(process.uptime()),
  }))
  routes.route(operations.ready, async ({ reply }) => {
    const readiness = await checkReadiness(parley)
    if (!readiness.ok) reply.status(503)
    return readiness
  })
  const pong = ({ query, body }: { query: unknown; body: unknown }) => ({
    data: { message: 'Pong!' as const, params: { ...(query as object), ...(body as object) } },
  })
  routes.route(operations.ping, ({ request }) => pong(request))
  routes.route(operations.pingPost, ({ request }) => pong(request))

  routes.route(operations.deadJobs, async ({ caller }) => ({ data: await jobs.listDeadJobs(caller.account_id) }))
  routes.route(operations.retryDeadJob, async ({ caller, params }) => {
    if (!(await jobs.retryDeadJob(caller.account_id, params.id))) throw new NotFound()
    return { data: { ok: true } }
  })
}
