import type { DirectIdentifiers } from '../../customers/customers/columns.ts'

const MAIL = /[^\s<>()[\]"',;:@]{1,64}@[^\s<>()[\]"',;:@]{0,254}[^\s<>()[\]"',;:@.!?]/g
/** With what may be a key in it: a name before the host, parameters, and parts that mix letters and digits. */
const LINK = /https?:\/\/[^\s<>()[\]"']*[^\s<>()[\]"'.,;:!?]/gi
/** Numbers of bank accounts, which have letters inside. */
const BANK_ACCOUNT = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g
/** Letters and digits mixed, as in vouchers and keys. */
const CODE = /(?<![A-Za-z0-9])(?=[A-Za-z]*\d[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z\d]{8,}(?![A-Za-z0-9])/g
/** Also short ones, if they are written as the number of something. */
const NUMBERED = /#\d{3,}/g
/** Five digits or more, as in numbers of phones, orders and accounts, with what people write between them. */
const NUMBER = /[+#]?(?:\p{L}{1,4}[-_]?)?\d(?:[\s().\-/_]?\d){4,}/gu

/**
 * A text without what could tell who a person is: their name and its parts, mail addresses, long numbers, codes, and
 * what may be a key in a link. Names that nobody has told, and postal addresses, are not recognised.
 */
export function maskPersonalData(text: string, person: Partial<DirectIdentifiers>): string {
  const parts = (person.name ?? '').split(/\s+/)
  const identifiers = [...Object.values(person), ...parts].flatMap((value) =>
    value && value.length >= 3 ? [value] : [],
  )
  const withoutNumbers = text
    .replace(LINK, maskLink)
    .replace(MAIL, '[…@…]')
    .replace(BANK_ACCOUNT, '[000]')
    .replace(NUMBER, '[000]')
    .replace(CODE, '[000]')
    .replace(NUMBERED, '[000]')
  return identifiers
    .toSorted((a, b) => b.length - a.length)
    .reduce((masked, value) => masked.replace(wholeWord(value), '[…]'), withoutNumbers)
}

/** The address of the page stays, so that a link to an article still works. */
function maskLink(link: string): string {
  const [page = '', ...parameters] = link.split(/[?#]/)
  const withoutKeys = page
    .replace(/^(https?:\/\/)[^/]*@/i, '$1')
    .replace(/(?<=[^/]\/)[^/]+/g, (part) => (isKey(part) ? '[…]' : part))
  return parameters.length > 0 ? `${withoutKeys}?[…]` : withoutKeys
}

/** A part of a path that nobody would write by hand. */
function isKey(part: string): boolean {
  return part.length >= 20 && /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part)
}

function wholeWord(value: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(value)}(?![\\p{L}\\p{N}])`, 'giu')
}
