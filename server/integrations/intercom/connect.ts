import * as z from 'zod/mini'
import type { Authorization } from '#contract/connections/integrations.ts'
import type { Context } from '../../context.ts'
import { Unacceptable } from '../../errors.ts'
import { assertSwitchedOn, connectAuthorization } from '../../features/connections/authorizations/connect.ts'
import { runForCaller, TokenRefused } from '../../features/connections/authorizations/vendor-call.ts'
import type { Consent } from '../../integration.ts'
import type { User } from '../../platform/caller.ts'
import { consentUrl, exchangeCode } from '../../platform/oauth/oauth.ts'
import { callIntercom, intercomApp, regionsOf } from './client.ts'

/** Through Intercom's consent page. */
export const intercomConsent: Consent = {
  begin: async (context, { account_id }, start) => consentUrl(await intercomApp(context, account_id), start),
  async finish(context, caller, { code }) {
    if (!code) throw new Unacceptable('Intercom returned no code. Start again.')
    const app = await intercomApp(context, caller.account_id)
    const { access_token, scope, token_type } = await exchangeCode(context.outbound, app, { code })
    return connect(context, caller, access_token, { scope, token_type })
  },
}

/** With an access token. @throws Refusal if Intercom refuses it */
export async function connectWithToken(context: Context, caller: User, access_token: string): Promise<Authorization> {
  assertSwitchedOn(context)
  return runForCaller(() => connect(context, caller, access_token, { scope: null, token_type: 'bearer' }))
}

async function connect(
  context: Context,
  caller: User,
  access_token: string,
  grant: { scope: string | null; token_type: string | null },
): Promise<Authorization> {
  const { name, id_code, ...region } = await findWorkspace(context, access_token)
  return context.change((tx) =>
    connectAuthorization(context, tx, caller, {
      ...grant,
      integration: 'intercom',
      inbox_id: null,
      label: name || 'Intercom',
      settings: { workspace_id: id_code, ...region },
      credentials: { access_token, refresh_token: null, expires_at: null },
    }),
  )
}

const Me = z.object({ app: z.nullish(z.object({ id_code: z.string(), name: z.nullish(z.string()) })) })

/** The workspace of a token, and its region. */
async function findWorkspace(context: Context, token: string) {
  let refused: unknown
  for (const region of regionsOf(context)) {
    try {
      const { body } = await callIntercom(context, region.api_url, token, { path: '/me' })
      const { app } = z.parse(Me, body)
      return { ...region, id_code: app?.id_code ?? null, name: app?.name ?? null }
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error
      refused ??= error
    }
  }
  throw refused
}
