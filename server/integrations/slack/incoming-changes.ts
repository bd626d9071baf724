import type { Context } from '../../context.ts'
import { deleteMessage, updateMessage } from '../../features/conversations/changing-messages.ts'
import { postMessage } from '../../features/conversations/posting.ts'
import { hasLeftForGood } from '../../features/deliveries/deliveries.ts'
import { findMessage, linkMessage } from '../../features/external-links/external-links.ts'
import { selectMessages } from '../../features/messages/messages.ts'
import type { Outcome } from '../../integration.ts'
import type { User } from '../../platform/caller.ts'
import { deriveId } from '../../platform/secrets.ts'
import type { Slack } from './authorization.ts'
import { type MessageEvent, messageOf } from './events.ts'
import { fromMrkdwn, mentionedIn, readNote } from './format.ts'
import { ignored } from './incoming.ts'
import { readNames } from './people.ts'

/** Undefined where the message is not known, so that what an edit tells is taken for the message itself. */
export async function receiveChange(context: Context, slack: Slack, event: MessageEvent): Promise<Outcome | undefined> {
  const { account_id, id: authorization_id } = slack
  const { ts } = messageOf(event)
  const place = { account_id, authorization_id, place: event.channel }
  const known = await findMessage(context.db, place, ts)
  const isDeletion = event.subtype === 'message_deleted'
  if (!known) {
    if (!isDeletion) return undefined
    // What is told of it later is not taken in any more.
    await context.change((open) => linkMessage(open, { ...place, external_id: ts, message_id: null, direction: 'in' }))
    return ignored('It was deleted in Slack before it came here.')
  }
  const { message_id, direction } = known
  if (direction === 'out') return ignored('It is one of our own messages.')
  const message = message_id
    ? await selectMessages(context.db, account_id).where('id', '=', message_id).executeTakeFirst()
    : undefined
  if (!message) return ignored('The message is not there any more.')
  if (!isDeletion && event.previous_message?.text === event.message?.text) {
    return ignored('Its words are the same as before.')
  }
  const { text } = readNote(event.message?.text ?? '')
  const body = isDeletion ? null : fromMrkdwn(text, await readNames(context, slack, mentionedIn(text)))
  if (body !== null && (body === message.body || body === '')) return ignored('Its words are the same as before.')
  const { conversation_id, user_id } = message
  const isFinal = user_id === null || (await hasLeftForGood(context.db, account_id, message.id))
  await context.change(async (open) => {
    if (isFinal || user_id === null) {
      await postMessage(
        open,
        account_id,
        { kind: 'bot', user_id: null },
        {
          id: deriveId(`slack change ${authorization_id} ${event.channel} ${ts} ${event.event_ts}`),
          conversation_id,
          body: tellChange(message.customer_id !== null, body),
          type: 'note',
          private: true,
          source: 'slack',
          isQuiet: true,
        },
      )
    } else if (body === null) await deleteMessage(context, open, asUser(account_id, user_id), message.id)
    else await updateMessage(open, asUser(account_id, user_id), message.id, { body })
  })
  return { state: 'done', conversation_id, message_id: message.id }
}

/** A customer's words never change, and what left by mail cannot. */
function tellChange(isOfCustomer: boolean, body: string | null): string {
  const what = isOfCustomer ? 'The customer' : 'The author of a message that has left already'
  return body === null ? `${what} deleted it in Slack.` : `${what} changed it in Slack to:\n\n${body}`
}

/** Somebody of the team, who changes what they wrote. */
function asUser(account_id: string, user_id: number): User {
  return { kind: 'user', address: '', account_id, user_id, role: 'user' }
}
