import type { Context } from '../../../context.ts'
import { requestIdOf } from '../../../platform/automation-chain.ts'
import type { OutboundResponse } from '../../../platform/outbound/outbound.ts'
import { asOwnRequest } from '../../../platform/request-id.ts'
import { LIMITS, type SandboxRequest, type SandboxResponse } from '../../../platform/sandbox/protocol.ts'
import type { SandboxOutcome } from '../../../platform/sandbox/sandbox.ts'
import { readFunctionKey } from '../api-keys/api-keys.ts'
import { clientModules } from './client-modules.ts'

interface Program {
  account_id: string
  id: string
  code: string
  modules: Record<string, string>
}

/** Runs a function once, without holding locks or transactions. Never throws. */
export async function execute(
  context: Context,
  { account_id, id, code, modules }: Program,
  { run_id, depth, ...input }: { run_id: string; depth: number; event: string; payload: unknown },
): Promise<SandboxOutcome> {
  const { config, db, keys, sandbox } = context
  const key = (await readFunctionKey(db, keys, { account_id, function_id: id })) ?? ''
  const env = { PAPERCUPS_API_KEY: key, PARLEY_API_KEY: key, PARLEY_URL: config.baseUrl }
  const all = { ...modules, ...clientModules }
  const name = requestIdOf({ cause_id: id, run_id, depth })
  return asOwnRequest(name, () =>
    sandbox.run(
      account_id,
      { code, modules: all, env, input },
      { fetch: (request) => fetchFor(context, name, request) },
    ),
  )
}

/** Requests may go wherever webhooks may, and to the calls of this server. */
async function fetchFor(
  { config, outbound }: Context,
  name: string,
  request: SandboxRequest,
): Promise<SandboxResponse> {
  const { url, method, headers, body } = request
  const own = ownAddress(config, url)
  const answer = await outbound.request(own ?? url, {
    method,
    headers: {
      ...Object.fromEntries(Object.entries(headers).filter(([header]) => !LEFT_TO_US.test(header))),
      // Marks changes made by the run as its own.
      ...(own && { 'x-request-id': name }),
    },
    ...(body !== null && { body }),
    ...(own ? { may_be_private: true } : { redirects: REDIRECTS }),
    timeout_ms: LIMITS.totalMs,
    max_bytes: LIMITS.answerBytes,
  })
  return readAnswer(answer, own ? url : answer.url)
}

const REDIRECTS = 5
/** Headers of the connection, and those that identify a request. */
const LEFT_TO_US =
  /^(host|connection|content-length|transfer-encoding|upgrade|expect|keep-alive|te|trailer|via|forwarded|x-forwarded-.*|x-request-id|proxy-.*)$/i

/**
 * The local address of a call of this installation, which avoids the proxies in front of it. Undefined for other
 * addresses, and for anything that is no call.
 */
function ownAddress({ baseUrl, host, port }: Context['config'], address: string): string | undefined {
  const [url, base] = [URL.parse(address), new URL(baseUrl)]
  if (!url || url.origin !== base.origin || !url.pathname.startsWith('/api/')) return undefined
  if (url.username || url.password) return undefined
  // With a free port, as in tests, only the base address identifies the server.
  const origin = port === 0 ? base.origin : `http://${/^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host}:${port}`
  return `${origin}${url.pathname}${url.search}`
}

function readAnswer({ status, headers, bytes }: OutboundResponse, url: string): SandboxResponse {
  const entries = [...headers].filter(([name]) => name !== 'set-cookie')
  return { status, url, headers: Object.fromEntries(entries), body: bytes.toString() }
}
