import { createPrivateKey } from 'node:crypto'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { readStoredApp, storeApp } from '../../features/connections/authorizations/apps.ts'
import { callVendor } from '../../features/connections/authorizations/vendor-call.ts'
import type { Change } from '../../platform/db/change.ts'
import { isPublicAddress } from '../../platform/outbound/public-address.ts'

/** A GitHub app, which is installed where it may access repositories. */
export interface GithubApp {
  app_id: string
  slug: string
  private_key: string
  webhook_secret: string | null
  client_id: string | null
  client_secret: string | null
  /** Set up for this account only, or for all accounts of the server. */
  owner: 'account' | 'server'
}

type AppSources = Pick<Context, 'db' | 'keys' | 'config'>
const VENDOR = 'github'

/** The account's app, else the operator's. */
export async function findGithubApp(sources: AppSources, account_id: string): Promise<GithubApp | undefined> {
  const own = await readStoredApp<Omit<GithubApp, 'owner'>>(sources, account_id, VENDOR)
  return own ? { ...own, owner: 'account' } : appOfServer(sources)
}

/** The operator's app. */
export function appOfServer({ config }: Pick<Context, 'config'>): GithubApp | undefined {
  const { githubAppId: app_id, githubAppSlug: slug, githubAppPrivateKey: key } = config
  if (!app_id || !slug || !key) return undefined
  return {
    app_id,
    slug,
    private_key: key.replaceAll('\\n', '\n'),
    webhook_secret: config.githubWebhookSecret ?? null,
    client_id: config.githubClientId ?? null,
    client_secret: config.githubClientSecret ?? null,
    owner: 'server',
  }
}

/** Stores an app that an admin has just created at GitHub. */
export function storeGithubApp(context: Pick<Context, 'keys'>, tx: Change, account_id: string, app: MadeApp) {
  return storeApp(context, tx, account_id, VENDOR, app)
}

export type MadeApp = Omit<GithubApp, 'owner'>

const Conversion = z.object({
  id: z.int(),
  slug: z.string(),
  pem: z.string(),
  webhook_secret: z.nullish(z.string()),
  client_id: z.nullish(z.string()),
  client_secret: z.nullish(z.string()),
})

/** Exchanges the code for a new app for its key and secrets. */
export async function convertManifest({ outbound, config }: Context, code: string): Promise<MadeApp> {
  const url = `${config.githubApiUrl}/app-manifests/${encodeURIComponent(code)}/conversions`
  const { body } = await callVendor(outbound, { vendor: 'GitHub', method: 'POST', url })
  const { id, slug, pem, ...secrets } = z.parse(Conversion, body)
  const { webhook_secret = null, client_id = null, client_secret = null } = secrets
  return { app_id: String(id), slug, private_key: pem, webhook_secret, client_id, client_secret }
}

/** A token that identifies the app, valid for ten minutes. */
export async function appToken({ app_id, private_key }: Pick<GithubApp, 'app_id' | 'private_key'>): Promise<string> {
  const { SignJWT } = await import('jose')
  const now = Math.floor(Date.now() / 1000)
  return (
    new SignJWT({})
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(app_id)
      // Allows for clock differences.
      .setIssuedAt(now - 60)
      .setExpirationTime(now + 540)
      .sign(createPrivateKey(private_key))
  )
}

/** The manifest for creating an app with one click: its permissions, and the addresses that GitHub calls. */
export function appManifest({ config }: Pick<Context, 'config'>, account_id: string): object {
  const back = `${config.baseUrl}/integrations/github`
  return {
    name: 'Parley',
    url: config.baseUrl,
    redirect_url: back,
    setup_url: back,
    public: false,
    default_permissions: { issues: 'write', metadata: 'read' },
    // GitHub only calls public addresses. Without one, GitHub is polled.
    ...(isPublicAddress(config.baseUrl) && {
      default_events: ['issues'],
      hook_attributes: { url: `${config.baseUrl}/api/github/webhook?account=${account_id}`, active: true },
    }),
  }
}
