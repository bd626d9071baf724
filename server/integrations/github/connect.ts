import * as z from 'zod/mini'
import type { Authorization } from '#contract/connections/integrations.ts'
import type { Context } from '../../context.ts'
import { Forbidden, Unacceptable } from '../../errors.ts'
import { assertSwitchedOn, connectAuthorization } from '../../features/connections/authorizations/connect.ts'
import { asRefusal } from '../../features/connections/authorizations/vendor-call.ts'
import type { Consent, Returned } from '../../integration.ts'
import type { User } from '../../platform/caller.ts'
import { exchangeCode } from '../../platform/oauth/oauth.ts'
import { appToken, convertManifest, findGithubApp, type GithubApp, storeGithubApp } from './app.ts'
import { callGithub, findGithub, type GithubCredentials } from './client.ts'

/** Through an app: it is created first if there is none, and then installed. */
export const githubConsent: Consent = {
  async begin(context, { account_id }, { state }) {
    const app = await findGithubApp(context, account_id)
    const { githubUrl, baseUrl } = context.config
    const query = new URLSearchParams({ state })
    return app ? `${githubUrl}/apps/${app.slug}/installations/new?${query}` : `${baseUrl}/api/github/new_app?${query}`
  },
  async finish(context, caller, returned) {
    const { code, installation_id } = returned
    const app = await findGithubApp(context, caller.account_id)
    if (installation_id) return connectInstallation(context, caller, app, returned)
    if (!code) throw new Unacceptable('GitHub returned neither a code nor an installation. Start again.')
    if (app) return connectOnlyInstallation(context, caller, app, code)
    const made = await convertManifest(context, code)
    await context.change((tx) => storeGithubApp(context, tx, caller.account_id, made))
    return null
  },
}

const Installation = z.object({
  id: z.int(),
  account: z.nullish(z.object({ login: z.string() })),
  permissions: z.nullish(z.record(z.string(), z.string())),
})

async function connectInstallation(
  context: Context,
  caller: User,
  app: GithubApp | undefined,
  { code, installation_id }: Returned,
): Promise<Authorization> {
  if (!app) throw new Unacceptable('The app does not exist yet. Create it first.')
  if (app.owner === 'server') {
    const own = await listOwnInstallations(context, app, code)
    if (!own.includes(installation_id!)) {
      throw new Forbidden('This installation belongs to another GitHub user. Install the app yourself.')
    }
  }
  return connectProven(context, caller, app, installation_id!)
}

/** Clients of Papercups send only the code: it shows who installed the app, and GitHub says where. */
async function connectOnlyInstallation(
  context: Context,
  caller: User,
  app: GithubApp,
  code: string,
): Promise<Authorization> {
  const own = await listOwnInstallations(context, app, code)
  if (own.length === 1) return connectProven(context, caller, app, own[0]!)
  throw new Unacceptable(
    own.length === 0
      ? `The GitHub app ${app.slug} is not installed yet. Install it at ${context.config.githubUrl}/apps/${app.slug}/installations/new.`
      : `The GitHub app ${app.slug} is installed for several owners. Choose one at ${context.config.baseUrl}/integrations, which sends you to GitHub.`,
  )
}

async function connectProven(
  context: Context,
  caller: User,
  app: GithubApp,
  installation_id: string,
): Promise<Authorization> {
  const path = `/app/installations/${encodeURIComponent(installation_id)}`
  const { body } = await callGithub(context, await appToken(app), { path })
  const { id, account } = z.parse(Installation, body)
  return connect(context, caller, {
    label: account?.login ?? app.slug,
    // Identifies the installation for incoming events; unique to one account.
    address: `installation ${id}`,
    token_type: 'app',
    credentials: {
      kind: 'app',
      app: { app_id: app.app_id, private_key: app.private_key },
      installation_id: String(id),
    },
  })
}

const Installations = z.object({ installations: z.array(z.object({ id: z.int() })) })

/**
 * The installations of the person who installs. Installation ids are easily guessed, so with an app that many companies
 * share only GitHub can say whose they are.
 */
async function listOwnInstallations(
  context: Context,
  app: GithubApp,
  code: string | null | undefined,
): Promise<string[]> {
  const { client_id, client_secret } = app
  if (!client_id || !client_secret) {
    throw new Unacceptable(
      'The GitHub app of this server has to request authorization during installation, and GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET have to be set. Ask the operator, or connect with a token.',
    )
  }
  if (!code) {
    throw new Unacceptable(
      'GitHub did not say who installed the app, so anybody could name this installation. Its operator has to switch on "Request user authorization (OAuth) during installation" in the app. Until then connect with a token.',
    )
  }
  const { githubUrl, baseUrl } = context.config
  const tokens = await exchangeCode(
    context.outbound,
    {
      vendor: 'GitHub',
      client_id,
      client_secret,
      authorize_url: `${githubUrl}/login/oauth/authorize`,
      token_url: `${githubUrl}/login/oauth/access_token`,
      redirect_uri: `${baseUrl}/integrations/github`,
    },
    { code },
  )
  const { body } = await callGithub(context, tokens.access_token, { path: '/user/installations?per_page=100' })
  return z.parse(Installations, body).installations.map(({ id }) => String(id))
}

const Login = z.object({ login: z.string() })

/** With a personal token. @throws Refusal if GitHub refuses it */
export async function connectWithToken(context: Context, caller: User, access_token: string): Promise<Authorization> {
  assertSwitchedOn(context)
  try {
    const { body } = await callGithub(context, access_token, { path: '/user' })
    return await connect(context, caller, {
      label: z.parse(Login, body).login,
      address: null,
      token_type: 'token',
      credentials: { kind: 'token', access_token },
    })
  } catch (error) {
    throw asRefusal(error)
  }
}

interface Grant {
  label: string
  address: string | null
  token_type: string
  credentials: GithubCredentials
}

/** Earlier settings stay. */
async function connect(context: Context, caller: User, grant: Grant): Promise<Authorization> {
  const before = await findGithub(context, caller.account_id)
  return context.change((tx) =>
    connectAuthorization(context, tx, caller, {
      integration: 'github',
      inbox_id: null,
      way_in: 'looked_up',
      settings: before?.settings ?? { closes_issues: false },
      ...grant,
    }),
  )
}
