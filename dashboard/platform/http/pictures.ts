import { pictures as calls } from '#contract/pictures.ts'
import type { Pictures } from '../../ui/pictures.ts'
import { asDataAddress, fetchBlob } from './download.ts'

const addresses = new Map<string, string>()
const underway = new Map<string, Promise<string | undefined>>()

/** Our own server fetches pictures of people, and the page shows its copies. They are kept until the page is left. */
export const pictures: Pictures = {
  peek: (url) => (isOwn(url) ? url : addresses.get(url)),
  load(url) {
    const known = underway.get(url) ?? load(url)
    underway.set(url, known)
    return known
  },
}

async function load(url: string): Promise<string | undefined> {
  try {
    const address = URL.createObjectURL(await fetchBlob(calls.get, { url }))
    addresses.set(url, address)
    return address
  } catch {
    // Without a picture there are initials; a line that was down is asked again when somebody looks again.
    underway.delete(url)
    return undefined
  }
}

/** A picture of an e-mail as a `data:` address, which its frame may show; undefined when there is no such picture. */
export async function fetchPicture(url: string): Promise<string | undefined> {
  try {
    return await asDataAddress(await fetchBlob(calls.get, { url, size: 'whole' }))
  } catch {
    return undefined
  }
}

function isOwn(url: string): boolean {
  return URL.parse(url, location.href)?.origin === location.origin
}
