import { parseUrl } from './parse-url.ts'

/** A link found in a text, and its position. */
export interface Found {
  href: string
  text: string
  /** Start index in the text. */
  at: number
}

/**
 * Characters that format text end a link. Lengths are bounded: otherwise a long text of dots and letters would take
 * quadratic time.
 */
const LINK =
  /(?<![a-z0-9])(?:https?:\/\/|www\.)[^\s<>"'`*[\]]+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[a-z]{2,24}\b/gi

/** The links in a text, in order. Only web and mail addresses. */
export function findLinks(text: string): Found[] {
  return Array.from(text.matchAll(LINK)).flatMap(({ 0: match, index }) => {
    const found = trimEnd(match)
    const href = hrefOf(found)
    return href ? [{ href, text: found, at: index }] : []
  })
}

/** The target of a link written as `[text](address)`, or undefined if it is no web or mail address. */
export function safeHref(address: string): string | undefined {
  const full = /^www\./i.test(address) ? `https://${address}` : address
  return /^(https?:\/\/|mailto:)/i.test(full) && parseUrl(full) ? full : undefined
}

const TRAILING = /[.,;:!?'"_~]{1,100}$/

/**
 * A full stop or closing bracket after a link belongs to the sentence, unless the bracket was opened inside the link.
 */
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
  return parseUrl(full) ? full : undefined
}
