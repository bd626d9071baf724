import type { FastifyInstance } from 'fastify'
import { functions, type Lambda } from '#contract/developers/functions.ts'
import type { Context } from '../../../context.ts'
import { Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { ConcurrencyLimiter } from '../../../platform/limits/concurrency-limiter.ts'
import { newId } from '../../../platform/secrets.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { notifyOfRuns } from './channels.ts'
import { dependencyZip } from './client-modules.ts'
import { execute } from './execute.ts'
import {
  createFunction,
  type Deployment,
  deleteFunction,
  deployFunction,
  getFunction,
  listFunctions,
  readCode,
  updateFunction,
} from './functions.ts'
import { readZip } from './read-zip.ts'
import { listRuns, recordTest } from './runs.ts'

export function registerFunctionsRoutes(routes: Routes, context: Context) {
  const { db, change, keys } = context
  routes.route(functions.list, async ({ caller, query }) => ({
    data: await listFunctions(db, caller.account_id, query),
  }))
  routes.route(functions.get, async ({ caller, params }) => ({
    data: await getFunction(db, caller.account_id, params.id),
  }))
  routes.route(functions.create, async ({ caller, body: { lambda } }) => {
    const data = await change(async (tx) => {
      const made = await createFunction(tx, keys, caller, lambda)
      await note(tx, caller, 'function.created', made)
      return made
    })
    return { data }
  })
  routes.route(functions.update, async ({ caller, params: { id }, body: { lambda } }) => {
    const data = await change(async (tx) => {
      const before = await getFunction(tx.db, caller.account_id, id)
      const after = await updateFunction(tx, caller.account_id, id, lambda)
      if (before.status !== after.status) await note(tx, caller, `function.${STATUS_ACTIONS[after.status]}`, after)
      return after
    })
    return { data }
  })
  routes.route(functions.remove, ({ caller, params: { id } }) =>
    change(async (tx) => {
      await note(tx, caller, 'function.deleted', await getFunction(tx.db, caller.account_id, id))
      return deleteFunction(tx, caller.account_id, id)
    }),
  )
}

const STATUS_ACTIONS = { active: 'activated', inactive: 'deactivated', pending: 'updated' }

/** Concurrent test runs of one account, and how many more may wait. */
const tries = new ConcurrencyLimiter(2, 10)

export function registerRunsRoutes(routes: Routes, context: Context) {
  const { db, change, keys } = context
  routes.route(functions.deploy, async ({ caller, params: { id }, body: { file, code, ...changes } }) => {
    const { account_id, user_id } = caller
    const uploaded = await readUpload(context, account_id, file)
    const data = await change(async (tx) => {
      await updateFunction(tx, account_id, id, { ...changes, ...storedCode(code, uploaded) })
      const { draft } = await readCode(tx.db, account_id, id)
      const deployed = await deployFunction(tx, keys, { account_id, user_id, id }, deploymentOf(draft, uploaded))
      await note(tx, caller, 'function.deployed', deployed)
      return deployed
    })
    return { data }
  })
  routes.route(functions.invoke, async ({ caller: { account_id }, params: { id }, body }) => {
    const { event, payload, is_draft } = body
    const { draft, deployed, modules } = await readCode(db, account_id, id)
    const code = is_draft ? draft : deployed
    if (code === null) throw new Unacceptable('This function has not been deployed. Deploy it first.')
    const outcome = await tries.run(account_id, () =>
      execute(context, { account_id, id, code, modules }, { run_id: newId(), depth: 0, event, payload }),
    )
    const run = await change((tx) => recordTest(tx, { account_id, function_id: id }, { event, outcome }))
    await notifyOfRuns(context, account_id, id)
    return { data: outcome.error ?? outcome.result, run }
  })
  routes.route(functions.runs, async ({ caller: { account_id }, params: { id }, query: { limit } }) => {
    await getFunction(db, account_id, id)
    return { data: await listRuns(db, { account_id, function_id: id }, limit) }
  })
}

async function readUpload(
  context: Context,
  account_id: string,
  file: unknown,
): Promise<Required<Deployment> | undefined> {
  if (file === undefined || file === null) return undefined
  if (!Buffer.isBuffer(file)) throw new Unacceptable('Send the code as a ZIP file in the field `file`.')
  return readZip(context, account_id, file)
}

/** The code in the editor afterwards. */
function storedCode(code: string | null | undefined, uploaded: Deployment | undefined) {
  const stored = code ?? uploaded?.code
  return stored === undefined ? {} : { code: stored }
}

/** Papercups appends lines of its own to the uploaded code, which are not needed here. */
function deploymentOf(draft: string, uploaded: Deployment | undefined): Deployment {
  if (!uploaded) return { code: draft }
  return uploaded.code.startsWith(draft) ? { ...uploaded, code: draft } : uploaded
}

async function note(tx: Change, caller: User, action: string, { id, name }: Lambda): Promise<void> {
  await recordAudit(tx, caller, { action, subject_id: id, subject_name: name })
}

/** For Papercups' dashboard, which adds the function's code to this zip before it deploys. */
export function serveDependencies(app: FastifyInstance) {
  app.get('/deps', async (_request, reply) => reply.type('application/zip').send(Buffer.from(await dependencyZip())))
}
