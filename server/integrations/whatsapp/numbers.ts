/**
 * A number and its other spelling, as digits with the country code. WhatsApp's id of a number may differ from what people
 * dial: in Brazil by the ninth digit, in Mexico and Argentina by the digit of mobile phones.
 */
export function spellingsOf(digits: string): string[] {
  const other = otherSpelling(digits)
  return other ? [digits, other] : [digits]
}

function otherSpelling(digits: string): string | undefined {
  if (/^55\d{10}$/.test(digits)) return `${digits.slice(0, 4)}9${digits.slice(4)}`
  if (/^55\d{2}9\d{8}$/.test(digits)) return `${digits.slice(0, 4)}${digits.slice(5)}`
  if (/^521\d{10}$/.test(digits)) return `52${digits.slice(3)}`
  if (/^52\d{10}$/.test(digits)) return `521${digits.slice(2)}`
  if (/^549\d{10}$/.test(digits)) return `54${digits.slice(3)}`
  if (/^54\d{10}$/.test(digits)) return `549${digits.slice(2)}`
  return undefined
}
