import { queryOptions } from '@tanstack/react-query'
import { type CustomerImport, customerImports, type ImportField } from '#contract/customer-imports.ts'
import { call } from '../../api.ts'

const POLL_MS = 500

/** How far an import has come, asked for again until it is done. */
export function importQuery(id: string) {
  return queryOptions({
    queryKey: ['customer-imports', id],
    queryFn: async ({ signal }) => (await call(customerImports.get, { params: { id }, signal })).data,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_MS : false),
  })
}

/** Hands a file over to be looked at. Nothing is added yet. */
export async function uploadImport(file: File): Promise<CustomerImport> {
  const body = { content: await file.text(), filename: file.name }
  return (await call(customerImports.upload, { body })).data
}

export async function startImport(id: string, mapping: (ImportField | null)[]): Promise<CustomerImport> {
  return (await call(customerImports.start, { params: { id }, body: { mapping } })).data
}
