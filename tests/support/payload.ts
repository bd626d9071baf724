import { readFileSync } from 'node:fs'

/**
 * A vendor's payload in its documented shape: a file of `server/integrations/<vendor>/fixtures`, in which `{{name}}`
 * marks what differs between tests. For a number the surrounding quotes are removed.
 */
export function readPayload(file: string, values: Record<string, string | number> = {}): string {
  const text = readFileSync(`server/integrations/${file}`, 'utf8').trim()
  return text.replaceAll(/"\{\{(\w+)\}\}"|\{\{(\w+)\}\}/g, (placeholder, whole?: string, part?: string) => {
    const value = values[whole ?? part ?? '']
    if (value === undefined) throw new Error(`${file} wants to know ${placeholder}.`)
    return whole && typeof value === 'string' ? `"${value}"` : String(value)
  })
}

/** A vendor's form, whose fields are the lines of a file. */
export function readForm(file: string, values: Record<string, string | number> = {}): URLSearchParams {
  const lines = readPayload(file, values).split('\n')
  return new URLSearchParams(lines.map((line) => [line.split('=', 1)[0]!, line.slice(line.indexOf('=') + 1)]))
}
