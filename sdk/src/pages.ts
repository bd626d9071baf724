/** One page of a list. */
export interface Page<Item> {
  data: Item[]
  /** The cursor of the next page; null after the last one. */
  next: string | null
}

/**
 * A paged list: `await` it for the first page, or iterate over all items with `for await`, which loads further pages as
 * needed.
 */
export interface Pages<Item> extends Promise<Page<Item>>, AsyncIterable<Item> {
  /** All items, up to a number. */
  all(limit?: number): Promise<Item[]>
}

/** Pages from a function that requests one. The first is requested at once. */
export function pagesOf<Item>(fetchPage: (next: string | undefined) => Promise<Page<Item>>): Pages<Item> {
  const first = fetchPage(undefined)
  async function* walk() {
    let page = await first
    yield* page.data
    while (page.next) {
      page = await fetchPage(page.next)
      yield* page.data
    }
  }
  async function all(limit = Number.POSITIVE_INFINITY) {
    const items: Item[] = []
    if (limit > 0) {
      for await (const item of walk()) if (items.push(item) >= limit) break
    }
    return items
  }
  return Object.assign(first, { [Symbol.asyncIterator]: walk, all })
}
