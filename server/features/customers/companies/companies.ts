import { sql } from 'kysely'
import type { Company, CompanyDraft } from '#contract/customers/companies.ts'
import { companyDeleted, companyUpdated } from '#contract/customers/companies.ts'
import { NotFound, Unacceptable } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'

const columns = [
  'id',
  'account_id',
  'name',
  'description',
  'website_url',
  'external_id',
  'logo_image_url',
  'industry',
  'slack_channel_id',
  'slack_channel_name',
  'slack_team_id',
  'slack_team_name',
  'metadata',
  'created_at',
  'updated_at',
] as const

type CompanyRow = { [Column in (typeof columns)[number]]: Company[Column] }

function presentCompanyRow(row: CompanyRow): Company {
  return { ...row, object: 'company' }
}

function select(db: Db, account_id: string) {
  return ofAccount(db, account_id).selectFrom('companies').select(columns).$castTo<CompanyRow>()
}

interface CompanyFilters {
  q?: string
  limit?: number
}

/**
 * All companies of an account by name, or those with every word of `q` in name, description or website; at most
 * `limit`.
 */
export async function listCompanies(db: Db, account_id: string, { q = '', limit }: CompanyFilters): Promise<Company[]> {
  let query = select(db, account_id).orderBy('name').orderBy('id')
  for (const word of q.split(/\s+/).filter(Boolean)) {
    query = query.where(
      sql<boolean>`fold_text(concat_ws(' ', name, description, website_url)) like '%' || btrim(fold_text(${word})) || '%'`,
    )
  }
  if (limit !== undefined) query = query.limit(Math.max(limit, 1))
  return (await query.execute()).map(presentCompanyRow)
}

export async function getCompany(db: Db, account_id: string, id: string): Promise<Company> {
  const company = (await loadCompanies(db, account_id, [id])).get(id)
  if (!company) throw new NotFound()
  return company
}

/** The companies with these ids, by id. Ids of other accounts are not found. */
export async function loadCompanies(db: Db, account_id: string, ids: Iterable<string>): Promise<Map<string, Company>> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return new Map()
  const rows = await select(db, account_id).where('id', 'in', distinct).execute()
  return new Map(rows.map((row) => [row.id, presentCompanyRow(row)]))
}

export async function createCompany(change: Change, account_id: string, draft: CompanyDraft): Promise<Company> {
  const row = await change.db
    .insertInto('companies')
    .values({ id: newId(), account_id, ...toColumns(draft), name: draft.name })
    .returning(columns)
    .$castTo<CompanyRow>()
    .executeTakeFirstOrThrow()
  return announce(change, presentCompanyRow(row))
}

export async function updateCompany(
  change: Change,
  account_id: string,
  id: string,
  changes: Partial<CompanyDraft>,
): Promise<Company> {
  const row = await ofAccount(change.db, account_id)
    .updateTable('companies')
    .set({ ...toColumns(changes), updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<CompanyRow>()
    .executeTakeFirst()
  if (!row) throw new NotFound()
  return announce(change, presentCompanyRow(row))
}

/** Deletes a company. One with customers is refused: they would silently lose their company. */
export async function deleteCompany(change: Change, account_id: string, id: string): Promise<null> {
  const { db } = change
  // Locked first, so that nobody becomes its customer between the check and the deletion.
  const company = await ofAccount(db, account_id)
    .selectFrom('companies')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!company) throw new NotFound()
  const customer = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select('id')
    .where('company_id', '=', id)
    .where('merged_into', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (customer) throw new Unacceptable('This company still has customers. Remove them from it first.')
  await ofAccount(db, account_id).deleteFrom('companies').where('id', '=', id).execute()
  change.announce(account_id, companyDeleted, { company_id: id })
  return null
}

function announce(change: Change, company: Company): Company {
  change.announce(company.account_id, companyUpdated, { company })
  return company
}

function toColumns({ metadata, ...plain }: Partial<CompanyDraft>) {
  return { ...plain, ...(metadata !== undefined && { metadata: metadata && toJson(metadata) }) }
}
