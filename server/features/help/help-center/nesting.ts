interface Nested {
  id: string
  parent_id: string | null
}

/** Collections in their order, each followed by those inside it. */
export function inTreeOrder<Collection extends Nested>(collections: Collection[]): Collection[] {
  const inside = Map.groupBy(collections, ({ parent_id }) => parent_id)
  return (inside.get(null) ?? []).flatMap((collection) => [collection, ...(inside.get(collection.id) ?? [])])
}
