export interface Piece {
  /** Where it begins in the text. */
  at: number
  text: string
  href?: string
}

const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"'`]+/gi
/** What ends a sentence rather than an address. */
const ENDING = /[.,;:!?)\]}»”’]+$/

/** Cuts a text into plain pieces and web addresses. Only http and https ever become a link. */
export function findLinks(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = trimEnding(found)
    if (index > from) pieces.push({ at: from, text: text.slice(from, index) })
    pieces.push({ at: index, text: address, href: /^www\./i.test(address) ? `https://${address}` : address })
    from = index + address.length
  }
  if (from < text.length) pieces.push({ at: from, text: text.slice(from) })
  return pieces
}

/** A closing bracket stays when the address itself opened one, as some encyclopedias do. */
function trimEnding(address: string): string {
  const trimmed = address.replace(ENDING, '')
  return trimmed.includes('(') && address.startsWith(`${trimmed})`) ? `${trimmed})` : trimmed
}
