const MAX_LENGTH = 80
const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' }

/**
 * The last part of an address for a title: `Wie zahle ich?` gives `wie-zahle-ich`. Accents of Latin letters are dropped;
 * letters of other scripts stay as they are. Titles without any letter give the fallback.
 */
export function slugOf(title: string, fallback: string): string {
  const plain = title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[ßæœøđłı]/g, (letter) => LETTERS[letter]!)
  const slug = plain.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^[-\p{M}]+|-+$/gu, '')
  return shorten(slug) || fallback
}

/** Cut between words if there is a hyphen near the end, and never inside a letter with its marks. */
function shorten(slug: string): string {
  if (slug.length <= MAX_LENGTH) return slug
  const start = slug.slice(0, MAX_LENGTH)
  const hyphen = start.lastIndexOf('-')
  return hyphen > MAX_LENGTH / 2 ? start.slice(0, hyphen) : start.replace(/[\ud800-\udbff]$/, '')
}

/** The slug itself, or with the first number from 2 that makes it new. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug
  let number = 2
  while (taken.has(`${slug}-${number}`)) number++
  return `${slug}-${number}`
}
