import type { AppVendor, IntegrationApp, IntegrationAppDraft } from '#contract/connections/oauth.ts'
import type { Config } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { Invalid, NotFound } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { contextIn, type EncryptedColumn } from '../../../platform/crypto/encrypted-columns.ts'
import { decryptIfPossible } from '../../../platform/crypto/keyring.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { maskSecret, retainMasked } from './secrets.ts'

export const appsColumn: EncryptedColumn = { table: 'integration_apps', column: 'encrypted', row: 'vendor' }

/** A vendor's app with its secrets. Never leaves the server. */
export interface VendorApp {
  client_id: string
  client_secret: string
  signing_secret?: string | undefined
}

/** Apps that the operator has set up for all accounts. */
const OF_SERVER: Record<AppVendor, (config: Config) => { [Key in keyof VendorApp]?: VendorApp[Key] | undefined }> = {
  slack: ({ slackClientId, slackClientSecret, slackSigningSecret }) => ({
    client_id: slackClientId,
    client_secret: slackClientSecret,
    signing_secret: slackSigningSecret,
  }),
  google: (config) => ({ client_id: config.googleClientId, client_secret: config.googleClientSecret }),
  hubspot: (config) => ({ client_id: config.hubspotClientId, client_secret: config.hubspotClientSecret }),
  intercom: (config) => ({ client_id: config.intercomClientId, client_secret: config.intercomClientSecret }),
}

type AppSources = Pick<Context, 'db' | 'keys' | 'config'>

/** The account's app at a vendor, else the operator's. */
export async function findApp(
  sources: AppSources,
  account_id: string,
  vendor: AppVendor,
): Promise<VendorApp | undefined> {
  const own = await readStoredApp<VendorApp>(sources, account_id, vendor)
  if (own) return own
  const { client_id, client_secret, signing_secret } = OF_SERVER[vendor](sources.config)
  return client_id && client_secret ? { client_id, client_secret, signing_secret } : undefined
}

/** The app used at a vendor, as shown to admins. */
export async function describeApp(sources: AppSources, account_id: string, vendor: AppVendor): Promise<IntegrationApp> {
  const own = await readStoredApp<VendorApp>(sources, account_id, vendor)
  const app = own ?? (await findApp(sources, account_id, vendor))
  return {
    object: 'integration_app',
    vendor,
    source: own ? 'account' : app ? 'server' : null,
    // The operator's app is not shown to accounts.
    client_id: own?.client_id ?? null,
    client_secret: own ? maskSecret(own.client_secret) : null,
    signing_secret: own?.signing_secret ? maskSecret(own.signing_secret) : null,
    redirect_uri: returnUrl(sources, vendor),
  }
}

/** Redirect address of a vendor's consent pages. */
export function returnUrl({ config }: Pick<Context, 'config'>, vendor: AppVendor | 'github'): string {
  return `${config.baseUrl}/integrations/${vendor}`
}

/** Sets the account's app. Masked secrets keep their value, as long as the app is the same. */
export async function saveApp(
  context: Context,
  caller: User,
  vendor: AppVendor,
  { client_id, ...secrets }: IntegrationAppDraft,
): Promise<IntegrationApp> {
  const { account_id } = caller
  const before = await readStoredApp<VendorApp>(context, account_id, vendor)
  const stored = before?.client_id === client_id ? before : undefined
  const client_secret = retainMasked(secrets.client_secret, stored?.client_secret)
  const signing_secret = retainMasked(secrets.signing_secret, stored?.signing_secret)
  if (!client_secret) throw new Invalid({ client_secret: ["can't be blank"] })
  await context.change(async (tx) => {
    await storeApp(context, tx, account_id, vendor, { client_id, client_secret, signing_secret })
    await recordAudit(tx, caller, { action: 'integration_app.saved', subject_id: vendor, subject_name: client_id })
  })
  return describeApp(context, account_id, vendor)
}

/** Removes the account's app. @throws NotFound */
export async function removeApp({ change }: Context, caller: User, vendor: AppVendor): Promise<null> {
  const { account_id } = caller
  await change(async (tx) => {
    const { numDeletedRows } = await ofAccount(tx.db, account_id)
      .deleteFrom('integration_apps')
      .where('vendor', '=', vendor)
      .executeTakeFirst()
    if (!numDeletedRows) throw new NotFound()
    await recordAudit(tx, caller, { action: 'integration_app.removed', subject_id: vendor })
  })
  return null
}

/** A stored app of an account, whatever its fields. */
export async function readStoredApp<App extends object>(
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  account_id: string,
  vendor: AppVendor | 'github',
): Promise<App | undefined> {
  const row = await ofAccount(db, account_id)
    .selectFrom('integration_apps')
    .select('encrypted')
    .where('vendor', '=', vendor)
    .executeTakeFirst()
  const text = row && decryptIfPossible(keys, contextIn(appsColumn, account_id, vendor), row.encrypted)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Stores an app of an account, encrypted. */
export async function storeApp(
  { keys }: Pick<Context, 'keys'>,
  { db }: Change,
  account_id: string,
  vendor: AppVendor | 'github',
  app: object,
): Promise<void> {
  const encrypted = keys.encrypt(contextIn(appsColumn, account_id, vendor), JSON.stringify(app))
  const updated_at = new Date().toISOString()
  await db
    .insertInto('integration_apps')
    .values({ account_id, vendor, encrypted })
    .onConflict((conflict) => conflict.columns(['account_id', 'vendor']).doUpdateSet({ encrypted, updated_at }))
    .execute()
}
