import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { Forbidden } from '../../../errors.ts'
import type { PageTools } from '../../../feature.ts'
import { readToken } from '../../../platform/http/reception.ts'
import { consume, type Limit } from '../../../platform/limits/limits.ts'
import { networkOf } from '../../../platform/limits/network.ts'
import { type AssistantCaller, findAssistant } from './caller.ts'
import { createMcpServer } from './mcp-server.ts'
import { loadAssistantSettings, resourceUrl } from './settings.ts'

/** Per assistant: a model that reads a whole inbox makes some dozens of calls. */
const CALLS: Limit = { capacity: 120, perSecond: 4 }
/** Per network, for requests without a valid token. */
const STRANGERS: Limit = { capacity: 60, perSecond: 1 }
const BODY_BYTES = 200_000

/**
 * The MCP server at /mcp, for the revisions 2026-07-28 and 2025-11-25 of the protocol. It keeps no sessions: each request
 * says who sends it, and is answered by a server of its own.
 */
export function serveMcp(app: FastifyInstance, context: Context, { call }: PageTools) {
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    bodyLimit: BODY_BYTES,
    handler: async (request, reply) => {
      assertOrigin(request, context)
      const assistant = await identify(request, context)
      if (!assistant) return challenge(reply, context)
      const settings = await loadAssistantSettings(context.db, context.config, assistant.caller.account_id)
      if (!settings.is_enabled)
        throw new Forbidden('Assistants are switched off in this account. An admin can change that under Assistants.')
      const { createMcpHandler } = await import('@modelcontextprotocol/server')
      const handler = createMcpHandler(() => createMcpServer({ context, assistant, settings, call }), {
        responseMode: 'json',
        // Tools change only with a new version, so there is nothing to listen to.
        maxSubscriptions: 0,
        onerror: (error) => context.log.debug({ err: error }, 'An assistant sent what is not understood'),
      })
      const response = await handler.fetch(asWebRequest(request, context), { parsedBody: request.body })
      return send(reply, response)
    },
  })
}

/**
 * Pages of other sites have no business here: a browser would send their requests to servers in its own network.
 * @throws Forbidden
 */
function assertOrigin({ headers }: FastifyRequest, { config }: Context): void {
  if (headers.origin && headers.origin !== new URL(config.baseUrl).origin)
    throw new Forbidden('Pages of other sites cannot use this address.')
}

async function identify(request: FastifyRequest, context: Context): Promise<AssistantCaller | undefined> {
  const { limits, config } = context
  const token = readToken(request)
  const assistant = token ? await findAssistant(context, token, request.ip) : undefined
  if (config.rateLimits) {
    if (assistant) await consume(limits, `assistant:${assistant.id}`, CALLS)
    else await consume(limits, `assistants-from:${networkOf(request.ip)}`, STRANGERS)
  }
  return assistant
}

/** Tells a program where to ask for consent (RFC 9728). */
function challenge(reply: FastifyReply, { config }: Context) {
  const metadata = `${config.baseUrl}/.well-known/oauth-protected-resource/mcp`
  return reply
    .status(401)
    .header('www-authenticate', `Bearer resource_metadata="${metadata}", scope="read write"`)
    .send({
      error: { status: 401, code: 'unauthorized', message: 'Connect this assistant first, or send an API key.' },
    })
}

function asWebRequest({ method, headers }: FastifyRequest, { config }: Context): Request {
  const copied = new Headers()
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') copied.set(name, value)
  const hasBody = method === 'POST'
  return new Request(resourceUrl(config), { method, headers: copied, ...(hasBody && { body: '{}' }) })
}

async function send(reply: FastifyReply, response: Response) {
  reply.status(response.status).header('cache-control', 'no-store')
  for (const [name, value] of response.headers) if (name !== 'content-length') reply.header(name, value)
  return reply.send(Buffer.from(await response.arrayBuffer()))
}
