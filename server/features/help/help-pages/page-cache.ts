import { PrecompressedText } from '../../../platform/http/compression.ts'

/** What is sent for one address. */
export interface Answer {
  status: 200 | 301 | 302 | 404 | 410 | 422
  type: 'html' | 'xml' | 'css' | 'svg' | 'text'
  text: PrecompressedText
  /** Where a redirect leads. */
  location?: string
}

/** All pages in memory together, in characters. */
const MAX_SIZE = 20_000_000
const MAX_PAGES = 5_000

/**
 * Pages that were rendered, by an address that contains the version of the help center: what is published makes new
 * ones, and old ones are dropped as the least recently used.
 */
export class PageCache {
  readonly #pages = new Map<string, Promise<Answer>>()
  readonly #sizes = new Map<string, number>()
  #size = 0

  /** Renders a page once, also if it is asked for many times meanwhile. */
  get(key: string, render: () => Promise<Answer>): Promise<Answer> {
    const cached = this.#pages.get(key)
    if (cached) {
      this.#pages.delete(key)
      this.#pages.set(key, cached)
      return cached
    }
    const page = render()
    this.#pages.set(key, page)
    page.then(
      ({ text }) => this.#measure(key, text.text.length),
      () => this.#drop(key),
    )
    return page
  }

  #measure(key: string, size: number) {
    if (!this.#pages.has(key)) return
    this.#sizes.set(key, size)
    this.#size += size
    while (this.#size > MAX_SIZE || this.#pages.size > MAX_PAGES) this.#drop(this.#pages.keys().next().value!)
  }

  #drop(key: string) {
    this.#pages.delete(key)
    this.#size -= this.#sizes.get(key) ?? 0
    this.#sizes.delete(key)
  }
}

/** An answer with a text, packed once for all readers. */
export function answerWith(text: string, type: Answer['type'] = 'html', status: Answer['status'] = 200): Answer {
  return { status, type, text: new PrecompressedText(text, 'quick') }
}

/** A redirect to another address. */
export function redirectTo(location: string, status: 301 | 302 = 301): Answer {
  return { ...answerWith('', 'text', status), location }
}
