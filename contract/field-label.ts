/**
 * The name of a field as people read it: `authorization.bot_token` is the "bot token", and `inbox_id` the "inbox". No
 * name of the API is shown to a person.
 */
export function fieldLabel(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path
  return name
    .replace(/_id(s?)$/, '$1')
    .replaceAll('_', ' ')
    .replace(/\b(url|id)\b/, (word) => word.toUpperCase())
}
