import { sql } from 'kysely'
import type { HelpCenter, HelpCenterChanges } from '#contract/help/help-center.ts'
import { helpCenterUpdated } from '#contract/help/help-center.ts'
import { REFERENCE_LANGUAGE } from '#contract/languages.ts'
import { isId } from '#contract/wire.ts'
import type { Config } from '../../../config.ts'
import { Invalid } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { type Change, type Db, fieldChanges, rethrowDuplicate } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { lockAccount } from '../../accounts/accounts/accounts.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'
import { recordChanges } from '../../accounts/audit/audit.ts'
import { pathOfFile, urlOfCenter } from './addresses.ts'
import { domainRecord } from './domain-proof.ts'
import { freeSlug, slugOf } from './slug.ts'

const columns = [
  'account_id',
  'name',
  'slug',
  'is_published',
  'is_indexed',
  'default_language',
  'languages',
  'color',
  'logo_file_id',
  'domain',
  'domain_verified_at',
  'contact_email',
  'contact_url',
  'legal_links',
  'version',
  'updated_at',
] as const

/** A help center as it is stored. `version` increases with everything that readers see. */
export interface HelpCenterRow extends Omit<HelpCenter, 'object' | 'url' | 'logo_url' | 'domain_record'> {
  version: number
  logo_filename: string | null
}

function select(db: Db) {
  return acrossAccounts(db, 'its callers name the account, or the public address')
    .selectFrom('help_centers')
    .leftJoin('files', (join) =>
      join
        .onRef('files.account_id', '=', 'help_centers.account_id')
        .onRef('files.id', '=', 'help_centers.logo_file_id'),
    )
    .select(columns.map((column) => `help_centers.${column}` as const))
    .select('files.filename as logo_filename')
    .$castTo<HelpCenterRow>()
}

/** How readers ask for a help center: by the slug in the path, its own host, or in a widget by the account. */
export type CenterAddress = { slug: string } | { domain: string } | { account_id: string }

/** A published help center; undefined if there is none, or the company is suspended. */
export async function findPublishedCenter(db: Db, address: CenterAddress): Promise<HelpCenterRow | undefined> {
  const [[column, value]] = Object.entries(address) as [['slug' | 'domain' | 'account_id', string]]
  if (column === 'account_id' && !isId(value)) return undefined
  return select(db)
    .where(`help_centers.${column}`, '=', value)
    .where('help_centers.is_published', '=', true)
    .$if(column === 'domain', (query) => query.where('help_centers.domain_verified_at', 'is not', null))
    .where(isServed('help_centers.account_id'))
    .executeTakeFirst()
}

/** The help center of an account. Before anybody has saved one, what it would be. */
export async function readHelpCenter(db: Db, account_id: string): Promise<HelpCenterRow> {
  const row = await select(db).where('help_centers.account_id', '=', account_id).executeTakeFirst()
  return row ?? suggestHelpCenter(db, account_id)
}

async function suggestHelpCenter(db: Db, account_id: string): Promise<HelpCenterRow> {
  const { company_name } = await db
    .selectFrom('accounts')
    .select('company_name')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  const slug = slugOf(company_name, 'help').slice(0, 60)
  const taken = await acrossAccounts(db, 'addresses are unique on an installation')
    .selectFrom('help_centers')
    .select('slug')
    .where(sql<boolean>`slug = ${slug} or starts_with(slug, ${`${slug}-`})`)
    .execute()
  return {
    account_id,
    name: company_name,
    slug: freeSlug(slug, new Set(taken.map((row) => row.slug))),
    is_published: false,
    is_indexed: true,
    default_language: REFERENCE_LANGUAGE,
    languages: [REFERENCE_LANGUAGE],
    color: '#1f6f5c',
    logo_file_id: null,
    logo_filename: null,
    domain: null,
    domain_verified_at: null,
    contact_email: null,
    contact_url: null,
    legal_links: [],
    version: 0,
    updated_at: new Date(0).toISOString(),
  }
}

/** A help center as the team sees it. */
export function presentHelpCenter({ baseUrl }: Pick<Config, 'baseUrl'>, row: HelpCenterRow): HelpCenter {
  const { version: _, logo_filename, ...fields } = row
  const { logo_file_id } = row
  return {
    ...fields,
    object: 'help_center',
    domain_record: domainRecord(row),
    logo_url: logo_file_id && logo_filename && `${baseUrl}/files/${logo_file_id}/${encodeURIComponent(logo_filename)}`,
    url: urlOfCenter(baseUrl, row),
  }
}

/**
 * Changes the help center, which is created by the first change.
 * @throws Invalid for an address that another account has, or a logo that is no file of this one
 */
export async function updateHelpCenter(
  tx: Change,
  config: Pick<Config, 'baseUrl'>,
  caller: User,
  changes: HelpCenterChanges,
): Promise<HelpCenter> {
  const { account_id } = caller
  await lockAccount(tx, account_id)
  const before = await readHelpCenter(tx.db, account_id)
  const after = { ...before, ...changes, languages: [...new Set(changes.languages ?? before.languages)] }
  await assertPossible(tx.db, config, after)
  if (after.domain !== before.domain)
    after.domain_verified_at = after.domain !== null && (await isOnlyAccount(tx.db)) ? new Date().toISOString() : null
  const { account_id: _, logo_filename: __, version, updated_at: ___, legal_links, ...fields } = after
  const next = { ...fields, legal_links: toJson(legal_links), version: Number(version) + 1 }
  await tx.db
    .insertInto('help_centers')
    .values({ account_id, ...next })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ ...next, updated_at: sql`now()` }))
    .execute()
    .catch(rethrowDuplicate('slug'))
  const audited = { action: 'help_center.updated', subject_name: after.name }
  await recordChanges(tx, caller, audited, fieldChanges(before, changes))
  return announce(tx, config, account_id)
}

async function announce(tx: Change, config: Pick<Config, 'baseUrl'>, account_id: string): Promise<HelpCenter> {
  const help_center = presentHelpCenter(config, await readHelpCenter(tx.db, account_id))
  tx.announce(account_id, helpCenterUpdated, { help_center })
  return help_center
}

/**
 * Lets the help center answer on its domain, whose record was found.
 * @throws Invalid if another account has proven it before, or the domain was changed meanwhile
 */
export async function verifyDomain(
  tx: Change,
  config: Pick<Config, 'baseUrl'>,
  caller: User,
  domain: string,
): Promise<HelpCenter> {
  const { account_id } = caller
  await lockAccount(tx, account_id)
  const before = await readHelpCenter(tx.db, account_id)
  if (before.domain !== domain) throw new Invalid({ domain: ['was changed meanwhile. Check it again.'] })
  await assertFree(tx.db, account_id, domain)
  const domain_verified_at = before.domain_verified_at ?? new Date().toISOString()
  await ofAccount(tx.db, account_id)
    .updateTable('help_centers')
    .set({ domain_verified_at, version: sql`version + 1`, updated_at: sql`now()` })
    .execute()
    .catch(rethrowDuplicate('domain'))
  const audited = { action: 'help_center.updated', subject_name: before.name }
  await recordChanges(tx, caller, audited, fieldChanges(before, { domain_verified_at }))
  return announce(tx, config, account_id)
}

/** With one company the operator has named the host, as they have pointed it here. */
async function isOnlyAccount(db: Db): Promise<boolean> {
  const rows = await acrossAccounts(db, 'whether there are several companies')
    .selectFrom('accounts')
    .select('id')
    .limit(2)
    .execute()
  return rows.length === 1
}

async function assertFree(db: Db, account_id: string, domain: string): Promise<void> {
  const taken = await acrossAccounts(db, 'a domain belongs to one account of an installation')
    .selectFrom('help_centers')
    .select('account_id')
    .where('domain', '=', domain)
    .where('domain_verified_at', 'is not', null)
    .where('account_id', '<>', account_id)
    .executeTakeFirst()
  if (taken) throw new Invalid({ domain: ['has already been taken'] })
}

async function assertPossible(db: Db, { baseUrl }: Pick<Config, 'baseUrl'>, row: HelpCenterRow): Promise<void> {
  const { account_id, default_language, languages, domain, logo_file_id } = row
  if (!languages.includes(default_language)) throw new Invalid({ default_language: ['is not one of the languages'] })
  if (domain !== null) {
    assertDomain(baseUrl, domain)
    await assertFree(db, account_id, domain)
  }
  if (logo_file_id === null) return
  const file = await ofAccount(db, account_id)
    .selectFrom('files')
    .select('content_type')
    .where('id', '=', logo_file_id)
    .executeTakeFirst()
  if (!file) throw new Invalid({ logo_file_id: ['does not exist'] })
  if (!file.content_type.startsWith('image/')) throw new Invalid({ logo_file_id: ['is not a picture'] })
}

/** The installation's own host keeps answering with the dashboard, and a port is the proxy's business. */
function assertDomain(baseUrl: string, domain: string): void {
  if (!/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(domain)) {
    throw new Invalid({ domain: ['is invalid'] })
  }
  if (domain === new URL(baseUrl).hostname) {
    throw new Invalid({ domain: ['is the address of this installation. Enter another one, such as help.example.com.'] })
  }
}

/** Called with each change of what readers see: pages in memory are of an older version from then on. */
export async function touchHelpCenter({ db }: Pick<Change, 'db'>, account_id: string): Promise<void> {
  await db.updateTable('help_centers').set({ version: sql`version + 1` }).where('account_id', '=', account_id).execute()
}

/** The public address of the logo, on the host of the pages. */
export function logoPath({ logo_file_id, logo_filename }: HelpCenterRow): string | null {
  if (!logo_file_id || !logo_filename) return null
  return pathOfFile({ id: logo_file_id, filename: logo_filename })
}

/** Whether anybody can read at least one article of an account. */
export async function hasArticles(db: Db, account_id: string): Promise<boolean> {
  const row = await ofAccount(db, account_id)
    .selectFrom('help_centers')
    .select('help_centers.slug')
    .where('help_centers.is_published', '=', true)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('published_articles')
          .select('published_articles.slug')
          .whereRef('published_articles.account_id', '=', 'help_centers.account_id'),
      ),
    )
    .executeTakeFirst()
  return row !== undefined
}
