import { readFileSync } from 'node:fs'

/**
 * What a vendor sends, in the shape that it documents: a file of `server/integrations/<vendor>/fixtures`, in which `{{name}}` stands
 * for what differs from test to test. A number takes the quotation marks around it away.
 */
export function readPayload(file: string, values: Record<string, string | number> = {}): string {
  const text = readFileSync(`server/integrations/${file}`, 'utf8').trim()
  return text.replaceAll(/"\{\{(\w+)\}\}"|\{\{(\w+)\}\}/g, (found, whole?: string, part?: string) => {
    const value = values[whole ?? part ?? '']
    if (value === undefined) throw new Error(`${file} wants to know ${found}.`)
    return whole && typeof value === 'string' ? `"${value}"` : String(value)
  })
}

/** A form as a vendor sends it: its fields stand in the file line by line. */
export function readForm(file: string, values: Record<string, string | number> = {}): URLSearchParams {
  const lines = readPayload(file, values).split('\n')
  return new URLSearchParams(lines.map((line) => [line.split('=', 1)[0]!, line.slice(line.indexOf('=') + 1)]))
}
