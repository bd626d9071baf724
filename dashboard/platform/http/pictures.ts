import { pictures as calls } from '#contract/conversations/pictures.ts'
import { parseUrl } from '#contract/parse-url.ts'
import type { Pictures } from '../../ui/pictures.ts'
import { asDataAddress, fetchBlob } from './download.ts'

const addresses = new Map<string, string>()
const underway = new Map<string, Promise<string | undefined>>()

/** Profile pictures, fetched through our own server. Cached until the page is left. */
export const pictures: Pictures = {
  peek: (url) => (isOwn(url) ? url : addresses.get(url)),
  load(url) {
    const pending = underway.get(url) ?? load(url)
    underway.set(url, pending)
    return pending
  },
}

async function load(url: string): Promise<string | undefined> {
  try {
    const address = URL.createObjectURL(await fetchBlob(calls.get, { url }))
    addresses.set(url, address)
    return address
  } catch {
    // The caller shows initials. The next render tries again, in case the connection was down.
    underway.delete(url)
    return undefined
  }
}

/** An email's image as a `data:` URL, which its frame may show; undefined if it cannot be loaded. */
export async function fetchPicture(url: string): Promise<string | undefined> {
  try {
    return await asDataAddress(await fetchBlob(calls.get, { url, size: 'whole' }))
  } catch {
    return undefined
  }
}

function isOwn(url: string): boolean {
  return parseUrl(url, location.href)?.origin === location.origin
}
