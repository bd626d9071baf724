interface Person {
  name?: string | null
  email?: string | null
  phone?: string | null
  external_id?: string | null
}

const MAIL = /[^\s<>()[\]"',;:@]{1,64}@[^\s<>()[\]"',;:@]{1,255}/g
/** Five digits or more, as in numbers of phones, orders and accounts, with what people write between them. */
const NUMBER = /[+#]?(?:\p{L}{1,4}[-_]?)?\d(?:[\s().\-/_]?\d){4,}/gu

/**
 * A text without what could tell who a person is: their name and its parts, mail addresses, and long numbers. Names that
 * nobody has told, and postal addresses, are not recognised.
 */
export function maskPersonalData(text: string, { name, external_id }: Person): string {
  const parts = (name ?? '').split(/\s+/).filter((part) => part.length >= 3)
  const known = [name, external_id, ...parts].flatMap((value) => (value && value.length >= 3 ? [value] : []))
  const withoutNumbers = text.replace(MAIL, '[…@…]').replace(NUMBER, '[000]')
  return known
    .toSorted((a, b) => b.length - a.length)
    .reduce((masked, value) => masked.replace(wholeWord(value), '[…]'), withoutNumbers)
}

function wholeWord(value: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(value)}(?![\\p{L}\\p{N}])`, 'giu')
}
