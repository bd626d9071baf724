import { addressOf } from '#contract/call.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { withTokens } from './api.ts'
import { ApiError, messageIn, unreachable } from './request.ts'

/** Downloads the response of a call as a file. Throws ApiError. */
export function download(endpoint: Endpoint, query: object, filename: string): Promise<void> {
  return saveFile(addressOf(endpoint.path, undefined, query), filename)
}

/** The same with path parameters. */
export function downloadOf(endpoint: Endpoint, params: object, filename: string): Promise<void> {
  return saveFile(addressOf(endpoint.path, params, undefined), filename)
}

/** Fetches the response of a call as a blob. Throws ApiError. */
export function fetchBlob(endpoint: Endpoint, query: object): Promise<Blob> {
  return withTokens(({ token }) => load(addressOf(endpoint.path, undefined, query), token))
}

/** A blob as a `data:` URL, which a frame without an origin may show. */
export function asDataAddress(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}

async function saveFile(address: string, filename: string): Promise<void> {
  saveBlob(await withTokens(({ token }) => load(address, token)), filename)
}

/** Saves a text that the page has as a file. */
export function saveText(text: string, filename: string): void {
  saveBlob(new Blob([text], { type: 'text/plain' }), filename)
}

function saveBlob(content: Blob, filename: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = filename
  link.click()
  URL.revokeObjectURL(link.href)
}

async function load(address: string, authorization: string): Promise<Blob> {
  const answer = await fetch(address, { headers: { authorization } }).catch(() => {
    throw unreachable()
  })
  if (!answer.ok) throw new ApiError(answer.status, messageIn(await answer.json().catch(() => null)))
  return answer.blob().catch(() => {
    throw unreachable()
  })
}
