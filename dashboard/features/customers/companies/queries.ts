import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Company, companies } from '#contract/customers/companies.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { call } from '../../../platform/http/api.ts'
import { companyKeys } from './keys.ts'

/** The first companies by name that contain every word of `q`, at most `limit`. */
export function foundCompaniesQuery(q: string, limit: number) {
  return queryOptions({
    queryKey: companyKeys.list(q, limit),
    queryFn: async ({ signal }) => (await call(companies.list, { query: { ...(q && { q }), limit }, signal })).data,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
}

export function companyQuery(id: string) {
  return queryOptions({
    queryKey: companyKeys.detail(id),
    queryFn: async ({ signal }) => (await call(companies.get, { params: { id }, signal })).data,
    refetchOnMount: 'always',
  })
}

export type CompanyTexts = Pick<
  BodyInput<typeof companies.create>['company'],
  | 'name'
  | 'description'
  | 'website_url'
  | 'slack_channel_id'
  | 'slack_channel_name'
  | 'slack_team_id'
  | 'slack_team_name'
>

export async function createCompany(client: QueryClient, company: CompanyTexts): Promise<Company> {
  return store(client, (await call(companies.create, { body: { company } })).data)
}

export async function updateCompany(client: QueryClient, id: string, company: Partial<CompanyTexts>): Promise<Company> {
  return store(client, (await call(companies.update, { params: { id }, body: { company } })).data)
}

async function store(client: QueryClient, company: Company): Promise<Company> {
  client.setQueryData(companyQuery(company.id).queryKey, company)
  await client.invalidateQueries({ queryKey: companyKeys.lists })
  return company
}

export async function deleteCompany(client: QueryClient, { id }: Company): Promise<void> {
  await call(companies.remove, { params: { id } })
  client.setQueriesData<Company[]>({ queryKey: companyKeys.lists }, (list) =>
    list?.filter((company) => company.id !== id),
  )
}
