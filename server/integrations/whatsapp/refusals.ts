import { ConnectionRevoked, PermanentFailure, RetryLater } from '../../integration.ts'

/** The customer wants no messages over WhatsApp. */
export const UNSUBSCRIBED = 'The customer has unsubscribed. They get messages again after they have sent START.'

/** How long the number rests when it sent too fast and Meta names no time. */
const REST_MS = 60_000

type Consequence = 'reconnect' | 'later' | 'rest' | 'never'

const ILL = ['later', 'WhatsApp has a problem at the moment. It will be retried automatically.'] as const
const RIGHTS = [
  'reconnect',
  'Meta refused the token, or it lacks a right. It needs whatsapp_business_messaging and whatsapp_business_management. Connect it again.',
] as const
const FAST = ['rest', 'WhatsApp limits how fast messages are sent. It will be retried later.'] as const
const CLOSED = [
  'never',
  "The customer's last message is more than 24 hours ago, so WhatsApp takes no free text. Send a template.",
] as const
const REFUSED = [
  'never',
  'WhatsApp does not deliver this kind of message to the customer. Write when they have written.',
] as const
const TEMPLATE = [
  'never',
  'WhatsApp refused the template. Check it in the WhatsApp Manager of Meta, then choose it again.',
] as const
const INVALID = ['never', 'WhatsApp refused the message as invalid.'] as const

/** What follows from Meta's error codes. */
const CODES: Record<number, readonly [Consequence, string]> = {
  0: RIGHTS,
  10: RIGHTS,
  190: RIGHTS,
  1: ILL,
  2: ILL,
  131000: ILL,
  131016: ILL,
  133004: ILL,
  4: FAST,
  80007: FAST,
  130429: FAST,
  131056: ['later', 'Too many messages were sent to this customer in a short time. It will be retried later.'],
  131047: CLOSED,
  131026: [
    'never',
    'The message cannot be delivered: the number is not on WhatsApp, has blocked yours, or uses an old version. Meta does not say which.',
  ],
  131049: REFUSED,
  131050: ['never', 'The customer wants no marketing messages from you.'],
  130472: REFUSED,
  131051: ['never', 'WhatsApp does not know this kind of message.'],
  131052: ['never', 'WhatsApp could not read the file. Attach it again.'],
  131053: ['never', 'WhatsApp refused the file: its type or size is not allowed. Send it as a link.'],
  131031: ['reconnect', 'Meta has locked the account. See business.facebook.com, then connect it again.'],
  368: [
    'reconnect',
    'Meta has blocked the account because of its policies. See business.facebook.com, then connect it again.',
  ],
  131042: [
    'reconnect',
    'Meta could not charge the account. Check its payment method at business.facebook.com, then connect it again.',
  ],
  131062: ['never', 'WhatsApp does not send this template to people whose number is unknown.'],
  33: INVALID,
  100: INVALID,
  131008: INVALID,
  131009: INVALID,
  132000: ['never', 'The template needs another number of values. Choose it again.'],
  132001: ['never', 'The template does not exist in this language. Choose another one.'],
  132015: ['never', 'Meta has paused the template because of its quality. Choose another one.'],
  132016: ['never', 'Meta has disabled the template. Choose another one.'],
  133010: [
    'never',
    'The number is not registered at WhatsApp. Register it in the WhatsApp Manager of Meta, then try again.',
  ],
}

function consequenceOf(code: number): readonly [Consequence, string] | undefined {
  if (code >= 200 && code <= 299) return RIGHTS
  if (code > 132001 && code < 132015) return TEMPLATE
  return CODES[code]
}

/** The error for a refused call; undefined if its code says nothing. `details` are Meta's own words. */
export function errorFor(refusal: { code: number; details?: string | undefined } | undefined): Error | undefined {
  const [consequence, sentence] = (refusal && consequenceOf(refusal.code)) ?? []
  if (!refusal || !consequence || !sentence) return undefined
  if (consequence === 'reconnect') return new ConnectionRevoked(sentence)
  if (consequence === 'later') return new RetryLater(sentence)
  if (consequence === 'rest') return new RetryLater(sentence, { restsAll: true, at: new Date(Date.now() + REST_MS) })
  const isVague = [INVALID, TEMPLATE].some(([, vague]) => vague === sentence)
  const details = refusal.details?.slice(0, 300)
  return new PermanentFailure(isVague && details ? `${sentence} Meta says: ${details}` : sentence)
}

/** Why a message that WhatsApp had accepted was not delivered. */
export function failureOf(code: number | undefined): string {
  const [, sentence] = (code !== undefined && consequenceOf(code)) || []
  const retried = / It will be retried (later|automatically)\.$/
  return (
    sentence?.replace(retried, ' Try again later.') ??
    `The message was not delivered${code ? ` (WhatsApp says ${code})` : ''}.`
  )
}

/** Whether nothing can be sent until somebody has repaired the account at Meta. */
export function isRevoking(code: number | undefined): boolean {
  return code !== undefined && consequenceOf(code)?.[0] === 'reconnect'
}
