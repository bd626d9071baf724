/** The customer wants no text messages. */
export const UNSUBSCRIBED = 'The number has unsubscribed. It accepts messages again after it has sent START.'

/** Twilio's error codes with sentences that say what to do. */
const REFUSALS: Record<number, string> = {
  21211: "Twilio does not know the number. Correct the customer's phone number, then try again.",
  21217: "Twilio does not know the number. Correct the customer's phone number, then try again.",
  21408:
    'Twilio does not send to this country for your account. Allow it in the console of Twilio (Geo permissions), then try again.',
  21610: UNSUBSCRIBED,
  21611: 'Too many messages wait at Twilio. Try again later.',
  21612: 'Twilio cannot send from your number to this one.',
  21614: "The number cannot take text messages. Correct the customer's phone number, then try again.",
  30003: 'The phone is switched off or unreachable.',
  30004: 'The number does not accept the message: it is blocked, or has unsubscribed.',
  30005: 'The number is unknown, or no longer in use.',
  30006: 'The number is a landline, or its network cannot be reached.',
  30007: 'A network took the message for spam and did not deliver it.',
  30034: 'Your number is not registered for messages to the United States. Register it in the console of Twilio.',
}

/** The sentence for an error code, if it is a permanent refusal. */
export function refusalOf(code: number | undefined): string | undefined {
  return code === undefined ? undefined : REFUSALS[code]
}

/** Why a sent message was not delivered. */
export function failureOf(code: number | undefined): string {
  return refusalOf(code) ?? `The message was not delivered${code ? ` (Twilio says ${code})` : ''}.`
}
