import type { Context } from '../../context.ts'
import { findIdentity, setUnsubscribed } from '../../features/connections/external-links/identities.ts'
import { postMessage } from '../../features/conversations/conversations/posting.ts'
import { updateCustomer } from '../../features/customers/customers/changing.ts'
import { getCustomer } from '../../features/customers/customers/customers.ts'
import { PermanentFailure } from '../../integration.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { deriveId } from '../../platform/secrets.ts'
import { type OptOutRequest, readOptOut } from './opt-out-words.ts'
import type { FromTwilio } from './receive-call.ts'
import { UNSUBSCRIBED } from './refusals.ts'

/** Metadata key by which the team sees that a customer wants no text messages. What counts is stored with the number. */
const MARK = 'sms_unsubscribed_at'

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

interface OptOutMessage {
  /** The customer's number, as its identity is called. */
  number: string
  customer_id: string
  conversation_id: string
  message_id: string
}

const NOTES: Record<OptOutRequest, string> = {
  stop: 'The customer has unsubscribed from text messages. Nothing reaches the number until it sends START.',
  start: 'The customer accepts text messages again.',
  'maybe stop':
    'This message may ask you to send no more text messages. If it does, do not reply by text message: in many countries that is forbidden then.',
}

/** Marks the customer, and adds a note. From now on nothing is sent to the number. */
export async function recordOptOut(
  context: Context,
  tx: Change,
  account_id: string,
  { number, customer_id, conversation_id, message_id }: OptOutMessage,
  request: OptOutRequest,
): Promise<void> {
  const before = (await findIdentity(tx.db, account_id, 'twilio', number))?.unsubscribed_at ?? null
  if ((request !== 'start') === (before !== null)) return
  if (request !== 'maybe stop') {
    const since = request === 'stop' ? new Date().toISOString() : null
    await setUnsubscribed(tx, account_id, 'twilio', number, since)
    const { metadata } = await getCustomer(tx.db, account_id, customer_id)
    const { [MARK]: _, ...rest } = metadata ?? {}
    await updateCustomer(tx, account_id, customer_id, { metadata: since ? { ...rest, [MARK]: since } : rest })
  }
  await postMessage(
    context,
    tx,
    account_id,
    { kind: 'bot', user_id: null },
    {
      id: deriveId(`opt-out ${message_id}`),
      conversation_id,
      body: NOTES[request],
      private: true,
      source: 'sms',
      isQuiet: true,
    },
  )
}

/**
 * Twilio itself refuses numbers that unsubscribed by its own keywords only.
 * @throws PermanentFailure if this number has unsubscribed
 */
export async function assertSubscribed(db: Db, account_id: string, number: string): Promise<void> {
  const identity = await findIdentity(db, account_id, 'twilio', number)
  if (identity?.unsubscribed_at) throw new PermanentFailure(UNSUBSCRIBED)
}
