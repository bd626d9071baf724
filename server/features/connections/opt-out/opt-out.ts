import type { IntegrationName } from '#contract/connections/kinds.ts'
import type { Context } from '../../../context.ts'
import { PermanentFailure } from '../../../integration.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { getConversationRow } from '../../conversations/conversations/conversations.ts'
import { postMessage } from '../../conversations/conversations/posting.ts'
import { PossibleOptOut } from '../../conversations/conversations/unsendable.ts'
import { updateCustomer } from '../../customers/customers/changing.ts'
import { getCustomer } from '../../customers/customers/customers.ts'
import { findIdentity, setUnsubscribed } from '../external-links/identities.ts'
import type { OptOutRequest } from './opt-out-words.ts'

/** The texts and names of a channel whose customers can unsubscribe. */
export interface OptOutChannel {
  integration: IntegrationName
  source: 'sms' | 'whatsapp'
  /** Metadata key by which the team sees that a customer wants no messages. What counts is stored with the identity. */
  mark: string
  notes: Record<OptOutRequest, string>
  /** Why nothing is sent. */
  refusal: string
}

/** Messages over WhatsApp, whichever vendor carries them. WhatsApp itself stops nothing when somebody writes STOP. */
export const OVER_WHATSAPP = {
  source: 'whatsapp',
  mark: 'whatsapp_unsubscribed_at',
  notes: {
    stop: 'The customer has unsubscribed from messages over WhatsApp. Nothing is sent to them until they send START.',
    start: 'The customer accepts messages over WhatsApp again.',
    'maybe stop': 'This message may ask you to send no more messages. If it does, do not reply over WhatsApp.',
  },
} as const satisfies Partial<OptOutChannel>

interface OptOutMessage {
  /** The customer's identity in the channel. */
  external_id: string
  customer_id: string
  conversation_id: string
  message_id: string
}

/**
 * Marks the customer, and adds a note. From now on nothing is sent to the identity; if only a person can tell what the
 * customer wants, whoever sends the next message is asked.
 */
export async function recordOptOut(
  context: Context,
  tx: Change,
  account_id: string,
  channel: OptOutChannel,
  { external_id, customer_id, conversation_id, message_id }: OptOutMessage,
  request: OptOutRequest,
): Promise<void> {
  const { integration, mark, notes, source } = channel
  const before = (await findIdentity(tx.db, account_id, integration, external_id))?.unsubscribed_at ?? null
  const isInDoubt = await hasPossibleOptOut(tx.db, account_id, conversation_id)
  if ((request !== 'start') === (before !== null) && !isInDoubt) return
  if (request !== 'maybe stop') {
    const since = request === 'stop' ? new Date().toISOString() : null
    await setUnsubscribed(tx, account_id, integration, external_id, since)
    const { metadata } = await getCustomer(tx.db, account_id, customer_id)
    const { [mark]: _, ...rest } = metadata ?? {}
    await updateCustomer(tx, account_id, customer_id, { metadata: since ? { ...rest, [mark]: since } : rest })
  }
  await postMessage(
    context,
    tx,
    account_id,
    { kind: 'bot', user_id: null },
    {
      id: deriveId(`opt-out ${message_id}`),
      conversation_id,
      body: notes[request],
      private: true,
      source,
      isQuiet: true,
      possible_opt_out_at: request === 'maybe stop' ? new Date().toISOString() : null,
    },
  )
}

async function hasPossibleOptOut(db: Db, account_id: string, conversation_id: string): Promise<boolean> {
  return (await getConversationRow(db, account_id, conversation_id)).possible_opt_out_at != null
}

/**
 * Refuses what is sent outside of conversations to somebody who may have asked for no more messages in one of them.
 * @throws PossibleOptOut
 */
export async function assertNoneInDoubt(
  db: Db,
  account_id: string,
  { integration, source }: OptOutChannel,
  external_id: string,
): Promise<void> {
  const customer_id = (await findIdentity(db, account_id, integration, external_id))?.customer_id
  if (!customer_id) return
  const doubtful = await ofAccount(db, account_id)
    .selectFrom('conversations')
    .select('id')
    .where('customer_id', '=', customer_id)
    .where('source', '=', source)
    .where('possible_opt_out_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (doubtful) throw new PossibleOptOut()
}

/** @throws PermanentFailure if this identity has unsubscribed */
export async function assertSubscribed(
  db: Db,
  account_id: string,
  { integration, refusal }: OptOutChannel,
  external_id: string,
): Promise<void> {
  const identity = await findIdentity(db, account_id, integration, external_id)
  if (identity?.unsubscribed_at) throw new PermanentFailure(refusal)
}
