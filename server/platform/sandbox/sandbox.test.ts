import { afterAll, expect, test } from 'vitest'
import type { SandboxRequest, SandboxResponse } from './protocol.ts'
import { Sandbox } from './sandbox.ts'

const sandbox = new Sandbox()
/** For code that uses up its processor time, which takes long on a busy machine. */
const patient = new Sandbox({ totalMs: 50_000 })
afterAll(() => {
  sandbox.stop()
  patient.stop()
})

interface SandboxInput {
  input?: unknown
  modules?: Record<string, string>
  env?: Record<string, string>
  fetch?: (request: SandboxRequest) => Promise<SandboxResponse>
  by?: Sandbox
  account_id?: string
}

const rejectFetch = () => Promise.reject(new Error('Nobody answers.'))
const run = (
  code: string,
  { input = {}, modules = {}, env = {}, fetch = rejectFetch, by = sandbox, account_id = 'acme' }: SandboxInput = {},
) => by.run(account_id, { code, modules, env, input }, { fetch })
const handler = (body: string, options?: SandboxInput) => run(`async function handler(given) { ${body} }`, options)
const answer = (body: string, status = 200): SandboxResponse => ({ status, url: '', headers: { a: 'b' }, body })

test('a handler receives the event, may be asynchronous, and its result is returned', async () => {
  const outcome = await handler(
    `await new Promise((done) => setTimeout(done, 5))
     const {event, payload: {body}} = given
     return {event, said: body.toUpperCase(), at: typeof new Date().getTime(), env: process.env.A}`,
    { input: { event: 'message:created', payload: { body: 'hi' } }, env: { A: 'b' } },
  )
  expect(outcome).toMatchObject({
    result: { event: 'message:created', said: 'HI', at: 'number', env: 'b' },
    error: undefined,
  })
})

test.each([
  ['declared', 'function handler() { return 1 }'],
  ['a constant', 'const handler = () => 1'],
  ['exported', 'exports.handler = async () => 1'],
  ['the whole module', 'module.exports = () => 1'],
  ['as Papercups wrote it', 'const handler = () => 1\nmodule.exports.handler = handler'],
])('a handler is found: %s', async (_how, code) => {
  expect(await run(code)).toMatchObject({ result: 1, error: undefined })
})

test('errors are returned with their position, syntax errors included', async () => {
  const thrown = await run('function handler() {\n  throw new TypeError("no luck")\n}')
  expect(thrown.error).toMatchObject({ errorType: 'TypeError', errorMessage: 'no luck' })
  expect(thrown.error?.trace.join()).toContain('index.js:2')
  const wrong = await run('function handler() {\n  const = 1\n}')
  expect(wrong.error).toMatchObject({ errorType: 'SyntaxError' })
  expect(wrong.error?.trace.join()).toContain('index.js:2')
  expect((await run('const other = 1')).error?.errorMessage).toContain('There is no function named handler.')
  expect((await run('module.exports.handler = () => { throw null }')).error?.errorMessage).toBe('null')
  expect((await handler('return 1n')).error?.errorType).toBe('TypeError')
})

test('console output is stored up to a limit', async () => {
  const { logs } = await handler(`console.log('a', {b: 1}); console.warn(new Error('oh')); console.error(undefined)`)
  expect(logs[0]).toEqual({ level: 'log', text: 'a {\n  "b": 1\n}' })
  expect(logs[1]?.text).toContain('Error: oh')
  expect(logs[2]).toEqual({ level: 'error', text: 'undefined' })
  const many = await handler(`for (let i = 0; i < 100_000; i++) console.log('x'.repeat(10_000))`)
  expect(many.logs.length).toBeLessThanOrEqual(201)
  expect(JSON.stringify(many.logs).length).toBeLessThan(100_000)
  expect(many.logs.at(-1)?.text).toContain('Further lines were left out')
})

test('fetch, URL, timers and ids are available', async () => {
  const requests: SandboxRequest[] = []
  const fetch = async (request: SandboxRequest) => {
    requests.push(request)
    return answer('{"ok":true}', 201)
  }
  const { result, error } = await handler(
    `const url = new URL('/a?x=1', 'https://example.com:8080')
     url.searchParams.set('y', 'a b')
     const response = await fetch(url, {method: 'post', headers: {'X-One': 1}, body: JSON.stringify({q: 1})})
     const again = await fetch('https://example.com/', {body: new URLSearchParams({a: 'ü&'}), method: 'PUT'})
     let ticks = 0
     await new Promise((done) => { const id = setInterval(() => ++ticks === 3 && (clearInterval(id), done()), 1) })
     return {status: response.status, ok: response.ok, json: await response.json(), header: response.headers.get('A'),
       id: crypto.randomUUID(), text: await again.text(), ticks, b: atob(btoa('ab')), c: structuredClone([1])}`,
    { fetch },
  )
  expect(error).toBeUndefined()
  expect(result).toMatchObject({ status: 201, ok: true, json: { ok: true }, header: 'b', ticks: 3, b: 'ab', c: [1] })
  expect(result).toHaveProperty('id', expect.stringMatching(/^[0-9a-f-]{36}$/))
  expect(requests).toEqual([
    { url: 'https://example.com:8080/a?x=1&y=a+b', method: 'POST', headers: { 'x-one': '1' }, body: '{"q":1}' },
    expect.objectContaining({ url: 'https://example.com/', method: 'PUT', body: 'a=%C3%BC%26' }),
  ])
})

test('a failed or invalid request throws in the function', async () => {
  const { result } = await handler(
    `const tried = (...args) => fetch(...args).catch(({name, message}) => name + ': ' + message)
     return [await tried('https://a.test'), await tried('https://a.test', {method: 'CONNECT'}),
       await tried('https://a.test', {headers: {'bad name': 'x'}}), await tried('https://a.test', {headers: {a: 'x\\r\\ny'}})]`,
  )
  const wrong = 'TypeError: The request cannot be sent: its method, headers or body are invalid.'
  expect(result).toEqual(['TypeError: Nobody answers.', wrong, wrong, wrong])
})

test('requests are limited in number and concurrency', async () => {
  let now = 0
  let peak = 0
  const fetch = async () => {
    peak = Math.max(peak, ++now)
    await new Promise((resolve) => setTimeout(resolve, 5))
    now--
    return answer('')
  }
  const { result } = await handler(
    `const all = await Promise.allSettled(Array.from({length: 80}, () => fetch('https://a.test')))
     return all.filter(({status}) => status === 'rejected').map(({reason}) => reason.message)`,
    { fetch },
  )
  expect(peak).toBe(6)
  expect(result).toEqual(Array(30).fill('A function makes 50 requests at most.'))
})

test('uploaded modules are resolved like in Node.js', async () => {
  const modules = {
    'lib/sum.js': "const {base} = require('./base'); exports.sum = (a) => a + base + require('twice')(a)",
    'lib/base.json': '{"base": 10}',
    'node_modules/twice/package.json': '{"main": "./src/main"}',
    'node_modules/twice/src/main.js': "module.exports = (a) => require('deep')(a)",
    'node_modules/twice/node_modules/deep/index.js': 'module.exports = (a) => 2 * a',
    'node_modules/ring/index.js': "exports.early = 1; exports.other = require('./other').seen",
    'node_modules/ring/other.js': "exports.seen = require('./index').early",
  }
  const { result, error } = await run(
    `const {sum} = require('./lib/sum')
     exports.handler = () => [sum(1), require('ring').other, require('./lib/sum').sum === sum]`,
    { modules },
  )
  expect(error).toBeUndefined()
  expect(result).toEqual([13, 1, true])
})

test.each([
  ["require('fs')", '"fs" is a part of Node.js that functions do not have.'],
  ["require('node:child_process')", '"node:child_process" is a part of Node.js'],
  ["require('left-pad')", 'The module "left-pad" was not found. Upload it with the function'],
  ["require('./native.node')", 'is a native module, which functions cannot use'],
  ["require('./new.mjs')", 'is an ES module'],
  ["require('../../../../etc/passwd')", 'was not found'],
  ["import('fs')", ''],
])('an invalid require is refused with a reason: %s', async (call, message) => {
  const modules = { 'native.node': '', 'new.mjs': '' }
  const { error } = await handler(`return await ${call}`, { modules })
  expect(error?.errorMessage).toContain(message)
  expect(error).toBeDefined()
})

const endless = 'more than 2 seconds of processor time'
test.each([
  ['an endless loop', 'for (;;);', endless],
  ['one that catches everything', 'for (;;) { try { for (;;); } catch {} finally { continue } }', endless],
  [
    'a storm of promises',
    'const more = () => Promise.resolve().then(more).then(more); more(); await new Promise(() => {})',
    '',
  ],
  ['promises without end', 'for (;;) await null', endless],
  ['a getter without end', 'return {toJSON() { for (;;); }}', endless],
  ['an expression that never ends', `/^(a+)+$/.test('a'.repeat(40) + 'b')`, 'more than'],
  ['a memory bomb', 'const all = []; for (;;) all.push(new Uint8Array(1_000_000))', 'out of memory'],
  ['a memory bomb of small things', 'const all = []; for (;;) all.push([all, {}])', ''],
  ['a text that doubles', `let text = 'x'; for (;;) text += text`, ''],
  ['a buffer too large', 'return new Uint8Array(2 ** 31)', ''],
  ['endless recursion', 'const deeper = () => deeper() + 1; return deeper()', 'call stack'],
  ['endless nesting', 'let a = []; for (let i = 0; i < 100_000; i++) a = [a]; return JSON.stringify(a).length', ''],
  ['too many timers', 'for (;;) setTimeout(() => {}, 1000)', 'Too many timers'],
  ['waiting for nothing', 'await new Promise(() => {})', 'waits for a promise that never settles'],
  ['a result that is too large', `return 'x'.repeat(1_000_000)`, 'larger than 256 kB'],
])('%s ends, and the next run is well', { timeout: 60_000 }, async (_what, body, message) => {
  const handle = (code: string) => run(`async function handler() { ${code} }`, { by: patient })
  const { error } = await handle(body)
  expect(error?.errorMessage).toContain(message)
  expect(error).toBeDefined()
  expect(await handle('return 1')).toMatchObject({ result: 1, error: undefined })
})

test('a run has 64 MB, however allocated, and so has the next one', async () => {
  for (const piece of [10_000, 1_000_000, 8_000_000]) {
    const { result } = await handler(
      `const all = []; try { for (;;) all.push(new Uint8Array(${piece})) } catch { return all.length * ${piece} }`,
    )
    expect(result, `pieces of ${piece}`).toBeGreaterThan(30_000_000)
    expect(result, `pieces of ${piece}`).toBeLessThan(64_000_000)
  }
})

test('a run that waits too long is ended after ten seconds', { timeout: 60_000 }, async () => {
  const { error } = await handler('setInterval(() => {}, 100); await new Promise(() => {})')
  expect(error).toMatchObject({ errorType: 'TimeoutError', errorMessage: 'The function took more than 10 seconds.' })
})

test.each([
  ['the function constructor', `return [].constructor.constructor('return typeof require + typeof process.binding')()`],
  ['the global object', 'return typeof globalThis.require + typeof process.binding'],
  ['a host function’s constructor', `return console.log.constructor('return typeof require + typeof process.exit')()`],
  [
    'an error’s stack',
    `Error.prepareStackTrace = (_, frames) => frames; const {stack} = new Error(); return typeof require('./x')`,
  ],
])('the sandbox cannot be escaped: %s', async (_how, body) => {
  const { result } = await handler(body, { modules: { 'x.js': '' } })
  expect(result).toBe(_how.startsWith('an error') ? 'object' : 'undefinedundefined')
})

test('changes of built-in objects affect only the own run', async () => {
  const broken = [
    'JSON.stringify = () => "{}"; JSON.parse = () => ({}); Promise.prototype.then = null; Array.prototype.push = null',
    'Object.prototype.type = "done"; Object.prototype.response = {}; Object.prototype.toJSON = () => 1',
    'String.prototype.split = Reflect.apply = Map.prototype.get = () => { throw 1 }',
    'Object.defineProperty(Object.prototype, "then", { value(done) { done("mine") } })',
    'globalThis.process = globalThis.fetch = globalThis.console = undefined; delete globalThis.Promise',
  ]
  for (const prelude of broken) {
    const { result, error } = await run(`${prelude}\nmodule.exports.handler = async () => 'here'`)
    expect(error?.errorMessage ?? result, prelude).toBeDefined()
    expect(await handler('return Object.prototype.type ?? typeof Promise')).toMatchObject({ result: 'function' })
  }
})

test('one run leaves nothing behind for the next', async () => {
  await handler('globalThis.kept = "secret"; setTimeout(() => console.log("late"), 50); return 1')
  const { result, logs } = await handler('await new Promise((done) => setTimeout(done, 100)); return typeof kept')
  expect({ result, logs }).toEqual({ result: 'undefined', logs: [] })
})

test('if its process dies, a run fails, and the next one gets a new process', async () => {
  const running = handler('await new Promise((done) => setTimeout(done, 5000))', {})
  await new Promise((resolve) => setTimeout(resolve, 300))
  sandbox.crashAll()
  expect((await running).error?.errorMessage).toContain('The sandbox crashed while the function ran')
  expect(await handler('return 1')).toMatchObject({ result: 1 })
})

test('accounts take turns: the run of one account waits for none of the runs that others queued before', async () => {
  const ended: string[] = []
  const runOf = (account_id: string) =>
    handler('await new Promise((done) => setTimeout(done, 20))', { account_id }).then(() => ended.push(account_id))
  const flood = ['a', 'b', 'c', 'd', 'e'].flatMap((account_id) => Array.from({ length: 4 }, () => runOf(account_id)))
  await runOf('late')
  // Each of the five had one turn at most after those that were running.
  expect(ended.indexOf('late')).toBeLessThan(12)
  await Promise.all(flood)
})

test('more runs than processes are queued', { timeout: 60_000 }, async () => {
  const outcomes = await Promise.all(Array.from({ length: 12 }, (_, at) => handler(`return ${at}`)))
  expect(outcomes.map(({ result }) => result)).toEqual(Array.from({ length: 12 }, (_, at) => at))
})
