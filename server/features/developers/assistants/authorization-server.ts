import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import { ASSISTANT_SCOPES } from '#contract/developers/assistants.ts'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../errors.ts'
import { consume, type Limit } from '../../../platform/limits/limits.ts'
import { networkOf } from '../../../platform/limits/network.ts'
import { ClientMetadata, registerClient } from './clients.ts'
import { ACCESS_SECONDS, exchangeCode, type GrantTokens, renewTokens, revokeByToken } from './grants.ts'
import { isOwnResource, resourceUrl } from './settings.ts'

/** Per network. People connect an assistant now and then; it renews its tokens once an hour. */
const REQUESTS: Limit = { capacity: 60, perSecond: 1 }

/** The address of the page that asks a person for consent. */
const CONSENT_PATH = '/assistants/authorize'

const TokenRequest = z.object({
  grant_type: z.string(),
  client_id: z.string().check(z.maxLength(4000)),
  code: z.optional(z.string()),
  redirect_uri: z.optional(z.string()),
  code_verifier: z.optional(z.string()),
  refresh_token: z.optional(z.string()),
  resource: z.optional(z.string()),
})

/**
 * The addresses by which programs get their tokens: OAuth 2.1 with PKCE, for public clients. Their paths, bodies and
 * errors are those of the standards (RFC 6749, 7009, 7591, 8414, 9728), which is why they are not part of the contract.
 */
export function serveAuthorization(app: FastifyInstance, context: Context) {
  const { config } = context
  const issuer = config.baseUrl
  const limited = async ({ ip }: { ip: string }) => {
    if (config.rateLimits) await consume(context.limits, `assistants-from:${networkOf(ip)}`, REQUESTS)
  }

  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    app.get(path, async (_request, reply) =>
      asPublic(reply).send({
        resource: resourceUrl(config),
        authorization_servers: [issuer],
        scopes_supported: ASSISTANT_SCOPES,
        bearer_methods_supported: ['header'],
        resource_name: 'Parley',
      }),
    )
  }

  app.get('/.well-known/oauth-authorization-server', async (_request, reply) =>
    asPublic(reply).send({
      issuer,
      authorization_endpoint: `${issuer}${CONSENT_PATH}`,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      scopes_supported: ASSISTANT_SCOPES,
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    }),
  )

  app.post('/oauth/register', { onRequest: limited, bodyLimit: 20_000 }, async ({ body }, reply) => {
    const said = z.safeParse(ClientMetadata, body)
    if (!said.success)
      return rejectRequest(reply, 'invalid_client_metadata', 'At least one redirect address is required.')
    try {
      const { id, name, redirect_uris } = registerClient(config.secretKey!, said.data)
      return await reply
        .status(201)
        .header('cache-control', 'no-store')
        .send({
          client_id: id,
          client_name: name,
          redirect_uris,
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        })
    } catch (error) {
      if (error instanceof Refusal) return rejectRequest(reply, 'invalid_redirect_uri', error.message)
      throw error
    }
  })

  app.post('/oauth/token', { onRequest: limited, bodyLimit: 20_000 }, async ({ body }, reply) => {
    const asked = z.safeParse(TokenRequest, body)
    if (!asked.success) return rejectRequest(reply, 'invalid_request', 'Parameters are missing, or sent twice.')
    const { grant_type, client_id, resource, ...parameters } = asked.data
    if (!isOwnResource(config, resource))
      return rejectRequest(reply, 'invalid_target', 'Tokens are only given for this server.')
    const { code, redirect_uri, code_verifier: verifier, refresh_token } = parameters
    let tokens: GrantTokens | undefined
    if (grant_type === 'authorization_code' && code && redirect_uri && verifier)
      tokens = await context.change((tx) => exchangeCode(tx, { client_id, code, redirect_uri, verifier }))
    else if (grant_type === 'refresh_token' && refresh_token)
      tokens = await context.change((tx) => renewTokens(tx, { client_id, refresh_token }))
    else if (!['authorization_code', 'refresh_token'].includes(grant_type))
      return rejectRequest(reply, 'unsupported_grant_type', 'Use authorization_code or refresh_token.')
    else return rejectRequest(reply, 'invalid_request', 'Parameters are missing.')
    if (!tokens) return rejectRequest(reply, 'invalid_grant', 'The code or token is wrong, used or expired.')
    const { access_token, scopes } = tokens
    return reply.header('cache-control', 'no-store').send({
      access_token,
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
      refresh_token: tokens.refresh_token,
      scope: scopes.join(' '),
    })
  })

  app.post('/oauth/revoke', { onRequest: limited, bodyLimit: 20_000 }, async ({ body }, reply) => {
    const { token } = (body ?? {}) as { token?: unknown }
    if (typeof token === 'string') await context.change((tx) => revokeByToken(tx, token))
    return reply.status(200).send({})
  })
}

/** Programs that run in browsers read these, too. */
function asPublic(reply: FastifyReply): FastifyReply {
  return reply.header('access-control-allow-origin', '*').header('cache-control', 'public, max-age=300')
}

function rejectRequest(reply: FastifyReply, error: string, error_description: string) {
  return reply.status(400).header('cache-control', 'no-store').send({ error, error_description })
}
