const CODE = /(```[\s\S]*?```|`[^`\n]+`)/
const NAMED = /:([a-z0-9_+-]{1,50}):(?::skin-tone-[2-6]:)?/g

/**
 * Replaces emoji names (`:wave:`), as sent by Slack and Mattermost, with emoji, because customers would see the names.
 * Unknown names, such as custom emoji, and code stay.
 */
export async function withEmoji(markdown: string): Promise<string> {
  if (markdown.search(NAMED) < 0) return markdown
  const { nameToEmoji } = await import('gemoji')
  const signOf = (whole: string, name: string) => (Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name]! : whole)
  return markdown
    .split(CODE)
    .map((part, at) => (at % 2 ? part : part.replaceAll(NAMED, signOf)))
    .join('')
}
