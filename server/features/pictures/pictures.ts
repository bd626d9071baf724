import { PicturesBusy, type PictureWorker } from '../../platform/files/picture-worker.ts'
import { AddressRefused } from '../../platform/outbound/guard.ts'
import { type Outbound, OutboundFailed } from '../../platform/outbound/outbound.ts'

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
  readonly #worker: PictureWorker
  readonly #entries = new Map<string, Entry>()

  constructor(outbound: Outbound, worker: PictureWorker) {
    this.#outbound = outbound
    this.#worker = worker
  }

  /** A copy reduced to fit a page; undefined if the picture cannot be fetched. */
  getWhole(url: string): Promise<Buffer | undefined> {
    return this.#fetch(url, 'page')
  }

  /** A small copy, fetched once for all callers; undefined if the picture cannot be fetched. */
  getSmall(url: string): Promise<Buffer | undefined> {
    const known = this.#entries.get(url)
    if (known && known.until > Date.now()) return known.picture
    const entry: Entry = { until: Date.now() + DAY_MS, picture: this.#fetch(url, 'thumbnail') }
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

  async #fetch(url: string, kind: 'thumbnail' | 'page'): Promise<Buffer | undefined> {
    try {
      const request = { headers: { accept: 'image/*' }, timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES }
      const { ok, bytes } = await this.#outbound.request(url, { ...request, redirects: REDIRECTS })
      return ok ? await this.#worker.convert(kind, bytes) : undefined
    } catch (error) {
      if (error instanceof AddressRefused || error instanceof OutboundFailed || error instanceof PicturesBusy)
        return undefined
      throw error
    }
  }
}
