/** Browsers and Node both have it; this folder names neither's library. */
declare const URL: { canParse(text: string): boolean }

/** An address found in a text, and where it stands. */
export interface Found {
  href: string
  text: string
  /** Where it begins in the text. */
  at: number
}

/**
 * Signs that format text end an address. Lengths are bounded, because without bounds a long text of dots and letters
 * would be read again from each of them.
 */
const LINK =
  /(?<![a-z0-9])(?:https?:\/\/|www\.)[^\s<>"'`*[\]]+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[a-z]{2,24}\b/gi

/** The addresses in a text, in their order. Only web and mail addresses, whatever the text pretends to be. */
export function findLinks(text: string): Found[] {
  return Array.from(text.matchAll(LINK)).flatMap(({ 0: match, index }) => {
    const found = trimEnd(match)
    const href = hrefOf(found)
    return href ? [{ href, text: found, at: index }] : []
  })
}

/** The address that a link written as `[text](address)` leads to, or none when it is no web or mail address. */
export function safeHref(address: string): string | undefined {
  const full = /^www\./i.test(address) ? `https://${address}` : address
  return /^(https?:\/\/|mailto:)/i.test(full) && URL.canParse(full) ? full : undefined
}

const TRAILING = /[.,;:!?'"_~]{1,100}$/

/** A full stop or a closing bracket behind an address belongs to the sentence, unless the bracket was opened in it. */
function trimEnd(address: string): string {
  let trimmed = address.replace(TRAILING, '')
  let unopened = trimmed.split(')').length - trimmed.split('(').length
  while (unopened > 0 && trimmed.endsWith(')')) {
    trimmed = trimmed.slice(0, -1).replace(TRAILING, '')
    unopened--
  }
  return trimmed
}

function hrefOf(address: string): string | undefined {
  const isWeb = /^https?:\/\//i.test(address)
  const full = isWeb ? address : address.includes('@') ? `mailto:${address}` : `https://${address}`
  return URL.canParse(full) ? full : undefined
}
