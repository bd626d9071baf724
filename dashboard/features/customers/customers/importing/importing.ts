import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type CustomerImport,
  customerImports,
  type ImportEncoding,
  type ImportField,
} from '#contract/customers/customer-imports.ts'
import { call, callWithForm } from '../../../../platform/http/api.ts'
import { ApiError } from '../../../../platform/http/request.ts'
import { customerKeys } from '../keys.ts'

/** The progress of an import. Refetched on events. */
export function importQuery(id: string) {
  return queryOptions({
    queryKey: customerKeys.import(id),
    queryFn: async ({ signal }) => (await call(customerImports.get, { params: { id }, signal })).data,
    staleTime: 0,
  })
}

const TOO_LARGE = 'This file is too large. Split it into smaller ones.'

/**
 * Uploads a file for preview. Nothing is added yet. Without an encoding the server guesses it.
 * @throws ApiError
 */
export async function uploadImport(file: File, encoding?: ImportEncoding): Promise<CustomerImport> {
  const form = new FormData()
  form.append('file', file)
  if (encoding) form.append('encoding', encoding)
  try {
    return (await callWithForm(customerImports.upload, form)).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 413) throw new ApiError(413, TOO_LARGE, error.body)
    throw error
  }
}

/** Starts the import. It may be finished before the response arrives, so its progress is fetched afterwards. */
export async function startImport(client: QueryClient, id: string, mapping: (ImportField | null)[]): Promise<void> {
  await call(customerImports.start, { params: { id }, body: { mapping } })
  await client.invalidateQueries({ queryKey: importQuery(id).queryKey })
}
