import type { Context } from '../../../context.ts'
import { type InboundOutcome, ignored } from '../../../integration.ts'
import type { User } from '../../../platform/caller.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { deleteMessage, updateMessage } from '../../conversations/conversations/changing-messages.ts'
import { postMessage } from '../../conversations/conversations/posting.ts'
import { selectMessages } from '../../conversations/messages/messages.ts'
import { hasLeftForGood } from '../deliveries/deliveries.ts'
import { findMessage, linkMessage } from '../external-links/external-links.ts'

/** A message that was changed or deleted in the other system. */
interface ChangedThere {
  account_id: string
  authorization_id: string
  channel_id: string
  external_id: string
  /** Reads its current text; null for a deletion. */
  readBody: (() => Promise<string>) | null
  /** Distinguishes changes of one message. */
  version: string
  /** The other system's name as shown to people. */
  vendor: keyof typeof SOURCES
}

const SOURCES = { Slack: 'slack', Mattermost: 'mattermost', Telegram: 'telegram' } as const

/**
 * Applies a change made in the other system: to an agent's message, but not to a customer's, nor to one already sent by
 * mail; a note reports it then. Undefined if the message is unknown, so that the change is handled as a new message.
 */
export async function mirrorChange(context: Context, changed: ChangedThere): Promise<InboundOutcome | undefined> {
  const { account_id, authorization_id, external_id, readBody, version, vendor } = changed
  const channelKey = { account_id, authorization_id, place: changed.channel_id }
  const link = await findMessage(context.db, channelKey, external_id)
  if (!link) {
    if (readBody) return undefined
    // Makes later events about it ignored.
    await context.change((tx) => linkMessage(tx, { ...channelKey, external_id, message_id: null, direction: 'in' }))
    return ignored(`It was deleted in ${vendor} before it was imported.`)
  }
  const { message_id, direction } = link
  if (direction === 'out') return ignored('It was sent by Parley itself.')
  const message = message_id
    ? await selectMessages(context.db, account_id).where('id', '=', message_id).executeTakeFirst()
    : undefined
  if (!message) return ignored('The message no longer exists.')
  const body = readBody && (await readBody())
  if (body !== null && (body === message.body || body === '')) return ignored('Its text has not changed.')
  const { conversation_id, user_id } = message
  const isFinal = user_id === null || (await hasLeftForGood(context.db, account_id, message.id))
  await context.change(async (tx) => {
    if (isFinal || user_id === null) {
      await postMessage(
        context,
        tx,
        account_id,
        { kind: 'bot', user_id: null },
        {
          id: deriveId(`${vendor} change ${authorization_id} ${changed.channel_id} ${external_id} ${version}`),
          conversation_id,
          body: describeChange(vendor, message.customer_id !== null, body),
          type: 'note',
          private: true,
          source: SOURCES[vendor],
          isQuiet: true,
        },
      )
    } else if (body === null) await deleteMessage(context, tx, asUser(account_id, user_id), message.id)
    else await updateMessage(tx, asUser(account_id, user_id), message.id, { body })
  })
  return { state: 'done', conversation_id, message_id: message.id }
}

function describeChange(vendor: string, isOfCustomer: boolean, body: string | null): string {
  const who = isOfCustomer ? 'The customer' : 'The author of a message that has left already'
  return body === null ? `${who} deleted it in ${vendor}.` : `${who} changed it in ${vendor} to:\n\n${body}`
}

/** The user who changes their own message. */
function asUser(account_id: string, user_id: number): User {
  return { kind: 'user', address: '', account_id, user_id, role: 'user' }
}
