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
export interface Pages<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {
  /** Everything, up to `most` of it. */
  all(most?: number): Promise<Item[]>
}

/** Pages from a way to ask for one. */
export function pagesOf<Item>(ask: (next: string | undefined) => Promise<Page<Item>>): Pages<Item> {
  async function* walk() {
    let next: string | null | undefined
    do {
      const page: Page<Item> = await ask(next ?? undefined)
      yield* page.data
      next = page.next
    } while (next)
  }
  return {
    // Asked when somebody waits for it, and not if it is only walked through.
    // biome-ignore lint/suspicious/noThenProperty: a list can be awaited
    then: (done, failed) => ask(undefined).then(done, failed),
    [Symbol.asyncIterator]: walk,
    async all(most = Number.POSITIVE_INFINITY) {
      const items: Item[] = []
      if (most > 0) {
        for await (const item of walk()) if (items.push(item) >= most) break
      }
      return items
    },
  }
}
