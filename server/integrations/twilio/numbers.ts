/**
 * A number in Twilio's format (+84901234567). Without a country code, the country of our own number is assumed.
 * Undefined for an impossible number.
 */
export async function toE164(typed: string, own?: string): Promise<string | undefined> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const country = own ? parsePhoneNumberFromString(own)?.country : undefined
  const parsed = parsePhoneNumberFromString(typed, country)
  return parsed?.isPossible() ? parsed.number : undefined
}

/**
 * The digit strings by which people may have stored a number: in Twilio's format, with 00, and in the national form.
 */
export async function digitsOf(number: string, own: string): Promise<string[]> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const [parsed, ours] = [parsePhoneNumberFromString(number), parsePhoneNumberFromString(own)]
  const digits = number.replace(/\D/g, '')
  // Short codes and other texts have only one form.
  if (!parsed) return [digits].filter((form) => form.length > 0)
  const isSameCountry = parsed.countryCallingCode === ours?.countryCallingCode
  return [digits, `00${digits}`, ...(isSameCountry ? [parsed.formatNational().replace(/\D/g, '')] : [])]
}
