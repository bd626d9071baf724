/**
 * A number in Twilio's format (+84901234567). Without a country code, the country of our own number is assumed.
 * Undefined for an impossible number.
 */
export async function toE164(typed: string, own?: string): Promise<string | undefined> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const country = own ? parsePhoneNumberFromString(own)?.country : undefined
  const found = parsePhoneNumberFromString(typed, country)
  return found?.isPossible() ? found.number : undefined
}

/**
 * The digit strings by which people may have stored a number: in Twilio's format, with 00, and in the national form.
 */
export async function digitsOf(number: string, own: string): Promise<string[]> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const [found, ours] = [parsePhoneNumberFromString(number), parsePhoneNumberFromString(own)]
  const digits = number.replace(/\D/g, '')
  // Short codes and other texts have only one form.
  if (!found) return [digits].filter((one) => one.length > 0)
  const isSameCountry = found.countryCallingCode === ours?.countryCallingCode
  return [digits, `00${digits}`, ...(isSameCountry ? [found.formatNational().replace(/\D/g, '')] : [])]
}
