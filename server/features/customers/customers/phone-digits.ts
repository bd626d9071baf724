/** Shorter ones are extensions or short codes, which several people share. */
const MIN_DIGITS = 6

/**
 * The digits by which a phone number identifies a customer, with 00 in front of a country code left out; undefined if
 * there are too few.
 */
export function phoneDigits(phone: string | null): string | undefined {
  const digits = (phone ?? '').replace(/\D/g, '').replace(/^00/, '')
  return digits.length >= MIN_DIGITS ? digits : undefined
}
