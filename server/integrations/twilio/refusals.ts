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

/** Those of WhatsApp. */
const WHATSAPP_REFUSALS: Record<number, string> = {
  63003: "The number is not on WhatsApp. Correct the customer's phone number, then try again.",
  63005: 'WhatsApp did not accept the message. Change it, then send it again.',
  63007: 'Twilio does not know your WhatsApp sender. Enter it again under Integrations → Twilio, then try again.',
  63013: 'WhatsApp refused the message because of its policies. Change it, then send it again.',
  63015: 'The customer has not joined the sandbox. They join by sending its words to the number of the sandbox.',
  63016:
    "The customer's last message is too old: WhatsApp takes free text for 24 hours after it. Send a template from the console of Twilio, or wait until the customer writes.",
  63018: 'WhatsApp limits how fast messages are sent. Try again later.',
  63019: 'WhatsApp could not take the file. Send it as a link.',
  63024: 'WhatsApp does not deliver to this number: it is not on WhatsApp, or cannot receive this message.',
  63032: 'WhatsApp does not deliver this message to the customer. Write when they have written.',
  63033: 'The customer cannot receive messages from you over WhatsApp: they may have blocked your number.',
}

/** Messages are sent faster than WhatsApp allows. */
export const RATE_LIMITED = 'WhatsApp limits how fast messages are sent. It will be retried later.'

export function isRateLimit(code: number | undefined): boolean {
  return code === 63018
}

/** The sentence for an error code, if it is a permanent refusal. */
export function refusalOf(code: number | undefined): string | undefined {
  return code === undefined ? undefined : (REFUSALS[code] ?? WHATSAPP_REFUSALS[code])
}

/** Why a sent message was not delivered. */
export function failureOf(code: number | undefined): string {
  return refusalOf(code) ?? `The message was not delivered${code ? ` (Twilio says ${code})` : ''}.`
}
