import vm from 'node:vm'
import { FUNCTION_STARTERS } from '#contract/developers/function-starters.ts'
import { clientModules } from '#server/features/developers/functions/client-modules.ts'
import { Sandbox } from '#server/platform/sandbox/sandbox.ts'
import { describe, header, ratio, report, sample, time } from './figures.ts'

/**
 * `npm run bench:functions`: the cost of a run of a function, compared to the same code in a bare `node:vm`, which
 * isolates nothing.
 */
const code = FUNCTION_STARTERS.find(({ name }) => name === 'blank')!.code
const input = {
  event: 'message:created',
  payload: { body: 'Where is my order?', conversation_id: '8c1f4b52-0a57-4d0c-9a39-2d7f1b6a3e10' },
}
const env = { PARLEY_API_KEY: 'parley_key_none', PARLEY_URL: 'http://127.0.0.1' }
const answer = { status: 201, url: '', headers: {}, body: '{"data":{"body":"You said: Where is my order?"}}' }
const COLD = 20
const WARM = 300
const AT_ONCE = 8

const run = async (sandbox: Sandbox) => {
  const { error } = await sandbox.run(
    'bench',
    { code, modules: clientModules, env, input },
    { fetch: async () => answer },
  )
  if (error) throw new Error(error.errorMessage)
}

/** The client and the function, compiled again for each run as in the sandbox. */
const runBare = async () => {
  const given = {
    process: { env },
    console: { log: () => undefined },
    URLSearchParams,
    fetch: async () => new Response(answer.body, { status: answer.status }),
    module: { exports: {} as Record<string, unknown> },
    require: (): unknown => undefined,
  }
  vm.createContext(given)
  vm.runInContext(`{${clientModules['node_modules/parley/index.js']}}`, given)
  const client = given.module.exports
  given.require = () => client
  vm.runInContext(`${code};module.exports = {handler}`, given)
  await (given.module.exports.handler as (given: unknown) => Promise<unknown>)(input)
}

header('A function that answers a message')
const cold: number[] = []
for (let i = 0; i < COLD; i++) {
  const fresh = new Sandbox()
  cold.push(await time(() => run(fresh)))
  fresh.stop()
}
report('cold, process and all', describe(cold))
const sandbox = new Sandbox()
const warm = await sample(WARM, () => run(sandbox))
report('warm, memory of its own', describe(warm))
const bare = await sample(WARM, runBare)
report('bare node:vm, no boundary', describe(bare))
report('warm beside node:vm', ratio(warm, bare))
await Promise.all(Array.from({ length: AT_ONCE }, () => run(sandbox)))
const elapsed = await time(() =>
  Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let i = 0; i < WARM / AT_ONCE; i++) await run(sandbox)
    }),
  ),
)
report(`runs per second, ${AT_ONCE} wanted at once`, ((1000 * WARM) / elapsed).toFixed(0))
sandbox.stop()
