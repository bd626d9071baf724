/** What somebody who reads a message understands: its words, and which of them are links, bold or code. */
export interface Meaning {
  text: string
  links: string[]
  strong: string[]
  code: string[]
}

/** The words of a text in order, however they are set apart. */
export const collapseSpaces = (text: string) => text.replace(/[\s\u00a0]+/g, ' ').trim()

/** A text in Slack's format, as Slack reads it. */
export function readMrkdwn(mrkdwn: string): Meaning {
  const links: string[] = []
  const strong: string[] = []
  const code: string[] = []
  const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  const text = mrkdwn
    .split(/(```\n[\s\S]*?\n```|`[^`\n]+`)/)
    .map((part, at) => {
      if (at % 2) {
        const inner = unescaped(part.replace(/^```\n|\n```$|^`|`$/g, ''))
        code.push(collapseSpaces(inner))
        return inner
      }
      const linked = part.replace(/<([^|>]+)\|([^>]*)>/g, (_, href: string, label: string) => {
        links.push(unescaped(href))
        return label
      })
      const bold = linked.replace(/(?<![\w*])\*(?!\s)([^*\n]+?)\*(?![\w*])/g, (_, inner: string) => {
        strong.push(collapseSpaces(unescaped(inner)))
        return inner
      })
      const plain = bold
        .replace(/(?<![\w_])_([^_\n]+)_(?![\w_])/g, '$1')
        .replace(/~([^~\n]+)~/g, '$1')
        .replace(/^(?:> |• |\d+\. )+/gm, '')
      return unescaped(plain)
    })
    .join('')
  return { text: collapseSpaces(text), links, strong, code }
}
