import { postMessage } from '../../features/conversations/posting.ts'
import { updateCustomer } from '../../features/customers/changing.ts'
import { getCustomer } from '../../features/customers/customers.ts'
import type { Change } from '../../platform/db/change.ts'
import { deriveId } from '../../platform/secrets.ts'
import type { FromTwilio } from './take.ts'

/** Where it stands in the metadata of a customer that they want no text messages. */
const MARK = 'sms_unsubscribed_at'

/** Words that Twilio takes for it by itself, when nothing else stands in the message. */
const STOPS = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']
const STARTS = ['START', 'UNSTOP']

export type OptOut = 'stop' | 'start'

/** Whether somebody unsubscribes or subscribes again by a message. */
export function optOutOf({ body, opt_out }: Extract<FromTwilio, { kind: 'message' }>): OptOut | undefined {
  const word = (opt_out ?? body).trim().toUpperCase()
  if (STOPS.includes(word)) return 'stop'
  return STARTS.includes(word) ? 'start' : undefined
}

interface Whose {
  customer_id: string
  conversation_id: string
  message_id: string
}

/** Marks the customer, and tells the team in a note. Twilio itself sends nothing to the number from now on. */
export async function noteOptOut(
  open: Change,
  account_id: string,
  { customer_id, conversation_id, message_id }: Whose,
  optOut: OptOut,
): Promise<void> {
  const { metadata } = await getCustomer(open.db, account_id, customer_id)
  const { [MARK]: before, ...rest } = metadata ?? {}
  if ((optOut === 'stop') === (before !== undefined)) return
  const marked = optOut === 'stop' ? { ...rest, [MARK]: new Date().toISOString() } : rest
  await updateCustomer(open, account_id, customer_id, { metadata: marked })
  const body =
    optOut === 'stop'
      ? 'The customer has unsubscribed from text messages. Nothing reaches the number until START comes from it.'
      : 'The customer takes text messages again.'
  await postMessage(
    open,
    account_id,
    { kind: 'bot', user_id: null },
    { id: deriveId(`opt-out ${message_id}`), conversation_id, body, private: true, source: 'sms', isQuiet: true },
  )
}
