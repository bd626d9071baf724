/** An article in one language as a Markdown file, with its fields in front. */
export interface MarkdownFile {
  /** Its path in the archive. */
  path: string
  /** Files with the same id are one article in several languages. */
  id?: string | undefined
  title: string
  summary: string
  slug?: string | undefined
  body: string
}

interface Written extends MarkdownFile {
  state: string
  updated_at: string
}

/** The text of a file: its fields as JSON strings, which every reader of YAML understands, then the Markdown. */
export function writeMarkdownFile({ id, title, summary, slug, state, updated_at, body }: Written): string {
  const fields = Object.entries({ id, title, summary, slug, state, updated_at })
  const front = fields.map(([name, value]) => `${name}: ${JSON.stringify(value ?? '')}`).join('\n')
  return `---\n${front}\n---\n\n${body}\n`
}

const FRONT = /^---\r?\n([\s\S]{0,20000}?)\r?\n---\r?\n/

/**
 * The article in a file. Without fields, or without a title in them, the first heading is the title, or else the name of
 * the file.
 */
export function readMarkdownFile(path: string, text: string): MarkdownFile {
  const clean = text.replace(/^\ufeff/, '').replaceAll('\u0000', '')
  const front = FRONT.exec(clean)
  const fields = readFields(front?.[1] ?? '')
  const content = clean.slice(front?.[0].length ?? 0).trim()
  const heading = /^# +(.+?)\s*#*\s*(?:\n|$)/.exec(content)
  const isTitled = !!fields.title
  const name = path
    .split('/')
    .at(-1)!
    .replace(/\.(md|markdown)$/i, '')
  return {
    path,
    id: fields.id,
    title: (fields.title || heading?.[1] || name.replaceAll('-', ' ')).slice(0, 200),
    summary: (fields.summary ?? fields.description ?? '').slice(0, 500),
    slug: fields.slug,
    body: isTitled || !heading ? content : content.slice(heading[0].length).trim(),
  }
}

/** `name: value` lines, the values bare, quoted or as JSON strings. Others, such as lists, are skipped. */
function readFields(front: string): Record<string, string> {
  const lines = front.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^([a-z_]+):\s*(.*?)\s*$/i.exec(line) ?? []
    return name && value ? [[name.toLowerCase(), unquote(value)] as const] : []
  })
  return Object.fromEntries(lines)
}

function unquote(value: string): string {
  if (!/^".*"$/.test(value)) return value.replace(/^'(.*)'$/, '$1').replaceAll("''", "'")
  try {
    const text: unknown = JSON.parse(value)
    return typeof text === 'string' ? text : value
  } catch {
    return value.slice(1, -1)
  }
}
