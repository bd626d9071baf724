import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type CustomerImport, customerImports, type ImportField } from '#contract/customer-imports.ts'
import { call } from '../../api.ts'

/** How far an import has come. Events make it ask again. */
export function importQuery(id: string) {
  return queryOptions({
    queryKey: ['customer-imports', id],
    queryFn: async ({ signal }) => (await call(customerImports.get, { params: { id }, signal })).data,
    staleTime: 0,
  })
}

/** Hands a file over to be looked at. Nothing is added yet. */
export async function uploadImport(file: File): Promise<CustomerImport> {
  const body = { content: await file.text(), filename: file.name }
  return (await call(customerImports.upload, { body })).data
}

/** Sets off the work. It may be done before the answer is here, so how far it has come is asked for afterwards. */
export async function startImport(client: QueryClient, id: string, mapping: (ImportField | null)[]): Promise<void> {
  await call(customerImports.start, { params: { id }, body: { mapping } })
  await client.invalidateQueries({ queryKey: importQuery(id).queryKey })
}
