/**
 * A number as Twilio writes it (+84901234567). One without a country is taken for one of the same country as our own number.
 * Undefined for what cannot be a number.
 */
export async function toE164(typed: string, own?: string): Promise<string | undefined> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const country = own ? parsePhoneNumberFromString(own)?.country : undefined
  const found = parsePhoneNumberFromString(typed, country)
  return found?.isPossible() ? found.number : undefined
}

/** The digits by which people may have written down a number: as Twilio does, with 00, and as at home. */
export async function digitsOf(number: string, own: string): Promise<string[]> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const [found, ours] = [parsePhoneNumberFromString(number), parsePhoneNumberFromString(own)]
  const digits = number.replace(/\D/g, '')
  // What is short, or no number, is known by itself alone.
  if (!found) return [digits].filter((one) => one.length > 0)
  const isSameCountry = found.countryCallingCode === ours?.countryCallingCode
  return [digits, `00${digits}`, ...(isSameCountry ? [found.formatNational().replace(/\D/g, '')] : [])]
}
