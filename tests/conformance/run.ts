import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'

/**
 * `npm run conformance`: the protocol's own suite against /mcp, for both revisions, and against the authorization server
 * (README.md). It is fetched by npx, because a
 * hundred packages for one command would burden every installation. Its baselines name the scenarios about what Parley
 * does not offer (resources, prompts, completion, tasks, the suite's own diagnostic tools); anything else that fails, or
 * succeeds unexpectedly, ends with 1.
 */
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const REVISIONS = ['2026-07-28', '2025-11-25']
const OWNER = { email: 'ada@acme.test', password: 'correct horse battery', company_name: 'Acme' }

const folder = await mkdtemp(join(tmpdir(), 'parley-conformance-'))
const [port, proxyPort] = [await freePort(), await freePort()]
const address = `http://127.0.0.1:${proxyPort}`
const server = new ServerProcess(port, join(folder, 'data'), { BASE_URL: address })
try {
  await server.start()
  const token = await register()
  const proxy = startProxy(await createKey(token))
  await once(proxy, 'listening')
  for (const revision of REVISIONS) process.exitCode ||= await runSuite(revision)
  process.exitCode ||= await runAuthorization(token)
  proxy.close()
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Registers a company whose assistants are on, and returns its admin's token. */
async function register(): Promise<string> {
  const { token } = await send('POST', '/api/registration', {
    user: { ...OWNER, password_confirmation: OWNER.password },
  })
  await send('PUT', '/api/assistant_settings', { is_enabled: true }, token)
  return token!
}

async function createKey(token: string): Promise<string> {
  return (await send('POST', '/api/personal_api_keys', { label: 'Conformance' }, token)).value as string
}

async function send(method: string, path: string, body: object, token = ''): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: token }) }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: JSON.stringify(body) })
  return ((await response.json()) as { data: Record<string, string> }).data
}

/** The suite sends no credentials, so a proxy adds them. */
function startProxy(key: string) {
  return createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const forwarded = httpRequest(
      { host: '127.0.0.1', port, path: incoming.url, method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      },
    )
    incoming.pipe(forwarded)
  }).listen(proxyPort, '127.0.0.1')
}

async function runSuite(revision: string): Promise<number> {
  const baseline = join(import.meta.dirname, `${revision}.yml`)
  const results = join(folder, revision)
  const options = [
    '--url',
    `${address}/mcp`,
    '--requirements',
    revision,
    '--expected-failures',
    baseline,
    '-o',
    results,
  ]
  const child = spawn('npx', ['--yes', SUITE, 'server', ...options], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return Number(code ?? 1)
}

/** Runs the scenarios of the authorization server. The suite prints the address of the page for consent; a person would open it. */
async function runAuthorization(token: string): Promise<number> {
  const callbackPort = await freePort()
  const redirect_uris = [`http://127.0.0.1:${callbackPort}/callback`]
  const registered = await fetch(`http://127.0.0.1:${port}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Conformance', redirect_uris }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const options = [
    ...['--url', address, '--client-id', client_id, '--resource', `${address}/mcp`],
    ...['--port', String(callbackPort), '-o', join(folder, 'authorization')],
  ]
  const child = spawn('npx', ['--yes', SUITE, 'authorization', ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  let report = ''
  let hasConsented = false
  child.stdout.on('data', (part: Buffer) => {
    process.stdout.write(part)
    report += part.toString()
    const [page] = /^http\S+code_challenge=\S+$/m.exec(report) ?? []
    if (!page || hasConsented) return
    hasConsented = true
    void consent(new URL(page), token)
  })
  const [code] = await once(child, 'exit')
  return Number(code ?? 1)
}

/** What the page for consent does when a person presses Allow. */
async function consent({ searchParams }: URL, token: string): Promise<void> {
  const asked = { scope: 'read', ...Object.fromEntries(searchParams) }
  const { redirect_to } = await send('POST', '/api/assistants/consent', { ...asked, scopes: ['read'] }, token)
  await fetch(redirect_to!)
}
