/** The words of `text/enriched` and its predecessor `text/richtext`, without their commands. */
export function readEnriched(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/<(param|comment)>[^<]*<\/\1>/gi, '')
    .replace(/\n+/g, (breaks) => (breaks.length === 1 ? ' ' : breaks.slice(1)))
    .replace(/<(?:nl|np)> ?/gi, '\n')
    .replace(/<<|<\/?[a-z0-9-]{1,60}>/gi, (command) => (command === '<<' ? '<' : ''))
    .replace(/ +\n/g, '\n')
    .trim()
}
