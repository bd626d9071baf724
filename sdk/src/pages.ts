/** One page of a list. */
export interface Page<Item> {
  data: Item[]
  /** Where the next page begins; null after the last one. */
  next: string | null
}

/**
 * A list that comes in pages: `await` it for the first page, or walk through all of it with `for await`, which asks for
 * further pages when it gets there.
 */
export interface Pages<Item> extends Promise<Page<Item>>, AsyncIterable<Item> {
  /** Everything, up to `most` of it. */
  all(most?: number): Promise<Item[]>
}

/** Pages from a way to ask for one. The first is asked for at once. */
export function pagesOf<Item>(ask: (next: string | undefined) => Promise<Page<Item>>): Pages<Item> {
  const first = ask(undefined)
  async function* walk() {
    let page = await first
    yield* page.data
    while (page.next) {
      page = await ask(page.next)
      yield* page.data
    }
  }
  async function all(most = Number.POSITIVE_INFINITY) {
    const items: Item[] = []
    if (most > 0) {
      for await (const item of walk()) if (items.push(item) >= most) break
    }
    return items
  }
  return Object.assign(first, { [Symbol.asyncIterator]: walk, all })
}
