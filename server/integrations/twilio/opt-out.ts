import { postMessage } from '../../features/conversations/posting.ts'
import { updateCustomer } from '../../features/customers/changing.ts'
import { getCustomer } from '../../features/customers/customers.ts'
import type { Change } from '../../platform/db/change.ts'
import { deriveId } from '../../platform/secrets.ts'
import type { FromTwilio } from './receive-call.ts'

/** Metadata key of a customer who wants no text messages. */
const MARK = 'sms_unsubscribed_at'

/** Keywords that Twilio handles by itself, if a message contains nothing else. */
const STOPS = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']
const STARTS = ['START', 'UNSTOP']

export type OptOut = 'stop' | 'start'

/** Whether a message unsubscribes its sender, or subscribes them again. */
export function optOutOf({ body, opt_out }: Extract<FromTwilio, { kind: 'message' }>): OptOut | undefined {
  const word = (opt_out ?? body).trim().toUpperCase()
  if (STOPS.includes(word)) return 'stop'
  return STARTS.includes(word) ? 'start' : undefined
}

interface MessageIds {
  customer_id: string
  conversation_id: string
  message_id: string
}

/** Marks the customer, and adds a note. From now on Twilio itself sends nothing to the number. */
export async function recordOptOut(
  open: Change,
  account_id: string,
  { customer_id, conversation_id, message_id }: MessageIds,
  optOut: OptOut,
): Promise<void> {
  const { metadata } = await getCustomer(open.db, account_id, customer_id)
  const { [MARK]: before, ...rest } = metadata ?? {}
  if ((optOut === 'stop') === (before !== undefined)) return
  const marked = optOut === 'stop' ? { ...rest, [MARK]: new Date().toISOString() } : rest
  await updateCustomer(open, account_id, customer_id, { metadata: marked })
  const body =
    optOut === 'stop'
      ? 'The customer has unsubscribed from text messages. Nothing reaches the number until it sends START.'
      : 'The customer accepts text messages again.'
  await postMessage(
    open,
    account_id,
    { kind: 'bot', user_id: null },
    { id: deriveId(`opt-out ${message_id}`), conversation_id, body, private: true, source: 'sms', isQuiet: true },
  )
}
