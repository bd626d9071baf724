import { strToU8, zipSync } from 'fflate'
import { vi } from 'vitest'
import { functions, type Lambda, type LambdaDraft } from '#contract/developers/functions.ts'
import { withoutBystanders } from './bystanders/watched.ts'
import { test as base, type Caller, expect } from './fixture.ts'
import type { TestServer } from './server.ts'
import { startConversation, startVisitor, type World } from './world.ts'

/** Functions may call this machine, and those created by a test are deleted after it. */
export const test = base
  .extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })
  .extend('functionsOfTest', { auto: true }, ({ as, server }, { onCleanup }) => {
    // Its port is only known once it listens.
    server.context.config.baseUrl = server.url
    onCleanup(async () => {
      for (const { id } of withoutBystanders((await as.ada(functions.list)).data))
        await as.ada(functions.remove, { params: { id } })
    })
  })

export const TIMEOUT = { timeout: 30_000, interval: 50 }

/** A function that is not deployed yet. */
export const makeFunction = async (ada: Caller, code: string, more: Partial<LambdaDraft> = {}) =>
  (await ada(functions.create, { body: { lambda: { name: 'Answer', code, ...more } as LambdaDraft } })).data
/** Deploys a function and switches it on. */
export const activateFunction = async (ada: Caller, { id }: Pick<Lambda, 'id'>) => {
  await ada(functions.deploy, { params: { id }, body: {} })
  return (await ada(functions.update, { params: { id }, body: { lambda: { status: 'active' } } })).data
}
/** Creates, deploys and switches on a function. */
export const startFunction = async (ada: Caller, code: string, more?: Partial<LambdaDraft>) =>
  activateFunction(ada, await makeFunction(ada, code, more))
export const runsOf = async (ada: Caller, { id }: Pick<Lambda, 'id'>) =>
  (await ada(functions.runs, { params: { id } })).data
export const invokeFunction = (ada: Caller, { id }: Pick<Lambda, 'id'>, payload: unknown = {}, is_draft = false) =>
  ada(functions.invoke, { params: { id }, body: { event: 'message:created', payload, is_draft } })
/** A new visitor writes. */
export const writeAsVisitor = async (server: TestServer, world: World, body: string) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Walker' })
  return { visitor, ...(await startConversation(server, visitor, body)) }
}
/** The runs of a function, once this many have ended. */
export const endedRuns = (ada: Caller, lambda: Pick<Lambda, 'id'>, count = 1) =>
  vi.waitFor(async () => {
    const runs = (await runsOf(ada, lambda)).filter(({ state }) => state === 'succeeded' || state === 'failed')
    expect(runs.length).toBeGreaterThanOrEqual(count)
    return runs
  }, TIMEOUT)
/** Deploys a zip of these files. */
export const uploadZip = async (
  server: TestServer,
  token: string,
  id: string,
  files: Record<string, string>,
  fields = {},
) => {
  const form = new FormData()
  const zip = zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))
  form.append('file', new Blob([Uint8Array.from(zip)]), 'code.zip')
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  const headers = { authorization: token }
  const answer = await fetch(`${server.url}/api/lambdas/${id}/deploy`, { method: 'POST', body: form, headers })
  return (await answer.json()) as { data: Lambda; error?: { message: string } }
}
