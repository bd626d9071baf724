const CODE = /(```[\s\S]*?```|`[^`\n]+`)/
const NAMED = /:([a-z0-9_+-]{1,50}):(?::skin-tone-[2-6]:)?/g

/**
 * Signs in place of their names (`:wave:`), by which Slack and Mattermost send them: customers would read the names. What nobody
 * knows, such as a company's own, stays, and so does code.
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
