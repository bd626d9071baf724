import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type CustomerImport, customerImports, type ImportField } from '#contract/customer-imports.ts'
import { call } from '../../../platform/http/api.ts'
import { ApiError } from '../../../platform/http/request.ts'
import { customerKeys } from '../keys.ts'

/** The progress of an import. Refetched on events. */
export function importQuery(id: string) {
  return queryOptions({
    queryKey: customerKeys.import(id),
    queryFn: async ({ signal }) => (await call(customerImports.get, { params: { id }, signal })).data,
    staleTime: 0,
  })
}

const NO_TEXT = 'This file is not a text file. Save it as CSV and try again.'
const TOO_LARGE = 'This file is too large. Split it into smaller ones.'

/** Uploads a file for preview. Nothing is added yet. */
export async function uploadImport(file: File): Promise<CustomerImport> {
  const content = readText(await file.arrayBuffer())
  if (content.includes('\0')) throw new Error(NO_TEXT)
  try {
    return (await call(customerImports.upload, { body: { content, filename: file.name } })).data
  } catch (error) {
    throw error instanceof ApiError && error.status === 413 ? new Error(TOO_LARGE) : error
  }
}

/** Spreadsheets write UTF-16 with a byte order mark; what is neither that nor UTF-8 is read as Windows-1252. */
export function readText(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Starts the import. It may be finished before the response arrives, so its progress is fetched afterwards. */
export async function startImport(client: QueryClient, id: string, mapping: (ImportField | null)[]): Promise<void> {
  await call(customerImports.start, { params: { id }, body: { mapping } })
  await client.invalidateQueries({ queryKey: importQuery(id).queryKey })
}
