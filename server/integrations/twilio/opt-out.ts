import { type OptOutChannel, OVER_WHATSAPP } from '../../features/connections/opt-out/opt-out.ts'
import { type OptOutRequest, readOptOut } from '../../features/connections/opt-out/opt-out-words.ts'
import type { FromTwilio } from './receive-call.ts'
import { UNSUBSCRIBED } from './refusals.ts'
import { isWhatsapp } from './whatsapp.ts'

/** Text messages. Twilio itself refuses numbers that unsubscribed by its own keywords only. */
const SMS: OptOutChannel = {
  integration: 'twilio',
  source: 'sms',
  mark: 'sms_unsubscribed_at',
  notes: {
    stop: 'The customer has unsubscribed from text messages. Nothing reaches the number until it sends START.',
    start: 'The customer accepts text messages again.',
    'maybe stop':
      'This message may ask you to send no more text messages. If it does, do not reply by text message: in many countries that is forbidden then.',
  },
  refusal: UNSUBSCRIBED,
}

/** Who wants no more text messages may still want messages over WhatsApp. */
const WHATSAPP: OptOutChannel = { ...OVER_WHATSAPP, integration: 'twilio', refusal: UNSUBSCRIBED }

/** The channel of a customer's address, by which they unsubscribe. */
export function channelOf(address: string): OptOutChannel {
  return isWhatsapp(address) ? WHATSAPP : SMS
}

/**
 * Whether a message unsubscribes its sender, or subscribes them again: as Twilio says, which then sends nothing either,
 * else by its words. `own` are further words of the number that unsubscribe.
 */
export function optOutOf(
  { body, opt_out }: Extract<FromTwilio, { kind: 'message' }>,
  own: readonly string[] | undefined,
): OptOutRequest | undefined {
  if (opt_out === 'STOP') return 'stop'
  if (opt_out === 'START') return 'start'
  return readOptOut(body, own)
}
