import { convertPicture } from '../../../platform/files/convert-picture.ts'
import { AddressRefused } from '../../../platform/outbound/guard.ts'
import { type Outbound, OutboundFailed } from '../../../platform/outbound/outbound.ts'
import { WorkersBusy } from '../../../platform/workers/fair-queue.ts'
import type { Workers } from '../../../platform/workers/workers.ts'

/** Larger than photos of people usually are. */
const MAX_BYTES = 5_000_000
const TIMEOUT_MS = 8_000
const REDIRECTS = 3
const KEPT = 500
const DAY_MS = 86_400_000
/** A picture that could not be fetched is tried again after this time. */
const RETRY_MS = 600_000

interface Entry {
  until: number
  picture: Promise<Buffer | undefined>
}

/** Copies of external pictures. The last five hundred small ones are kept in memory, some 5 kB each. */
export class Pictures {
  readonly #outbound: Outbound
  readonly #workers: Workers
  readonly #entries = new Map<string, Entry>()

  constructor(outbound: Outbound, workers: Workers) {
    this.#outbound = outbound
    this.#workers = workers
  }

  /** A copy reduced to fit a page; undefined if the picture cannot be fetched. */
  getWhole(account_id: string, url: string): Promise<Buffer | undefined> {
    return this.#fetch(account_id, url, 'page')
  }

  /** A small copy, fetched once for all callers; undefined if the picture cannot be fetched. */
  getSmall(account_id: string, url: string): Promise<Buffer | undefined> {
    const cached = this.#entries.get(url)
    if (cached && cached.until > Date.now()) return cached.picture
    const entry: Entry = { until: Date.now() + DAY_MS, picture: this.#fetch(account_id, url, 'thumbnail') }
    this.#keep(url, entry)
    void entry.picture.then((picture) => {
      if (!picture) entry.until = Date.now() + RETRY_MS
    })
    return entry.picture
  }

  #keep(url: string, entry: Entry) {
    this.#entries.delete(url)
    this.#entries.set(url, entry)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > KEPT && oldest !== undefined) this.#entries.delete(oldest)
  }

  async #fetch(account_id: string, url: string, kind: 'thumbnail' | 'page'): Promise<Buffer | undefined> {
    try {
      const request = { headers: { accept: 'image/*' }, timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES }
      const { ok, bytes } = await this.#outbound.request(url, { ...request, redirects: REDIRECTS })
      return ok ? await convertPicture(this.#workers, account_id, kind, bytes) : undefined
    } catch (error) {
      if (error instanceof AddressRefused || error instanceof OutboundFailed || error instanceof WorkersBusy)
        return undefined
      throw error
    }
  }
}
