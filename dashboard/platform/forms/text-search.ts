/**
 * The items that contain every word of `text` in any of the fields. Normalized, because Vietnamese letters can be
 * encoded in several ways.
 */
export function searchFields<Item>(
  items: readonly Item[],
  text: string,
  fieldsOf: (item: Item) => (string | null)[],
): Item[] {
  const words = plain(text).split(/\s+/).filter(Boolean)
  return items.filter((item) => {
    const fields = fieldsOf(item).map((field) => plain(field ?? ''))
    return words.every((word) => fields.some((field) => field.includes(word)))
  })
}

function plain(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
