/** Addresses of pages, with or without a scheme, but not those of people. */
const ADDRESS = /(?<![@\p{L}\p{N}._-])(?:[a-z][a-z\d+.-]*:\/\/\S+|(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}(?![\p{L}\p{N}@]))/giu
/** Invisible, and no part of an address. */
const WORD_JOINER = '\u2060'

/**
 * A name as it may be in a mail. Mail programs make links of what looks like an address, so whoever calls their company
 * “Pay at evil.example” could send links to anybody in our name. It looks the same, but is no address any more.
 */
export function withoutLinks(name: string): string {
  return name
    .replace(/[\r\n]+/g, ' ')
    .replace(ADDRESS, (address) =>
      address.replace(/[.:/]+/g, (punctuation) => `${WORD_JOINER}${punctuation}${WORD_JOINER}`),
    )
}
