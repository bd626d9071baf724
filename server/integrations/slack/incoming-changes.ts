import type { Context } from '../../context.ts'
import { mirrorChange } from '../../features/connections/mirrors/changes.ts'
import { withEmoji } from '../../features/connections/mirrors/emoji.ts'
import { readNote } from '../../features/connections/mirrors/notes.ts'
import { type InboundOutcome, ignored } from '../../integration.ts'
import type { Slack } from './authorization.ts'
import { isDeletion, type MessageEvent, messageOf } from './events.ts'
import { fromMrkdwn, mentionedIn } from './format.ts'
import { readNames } from './people.ts'

/** Undefined if the message is unknown, so that the edit is handled as a new message. */
export async function receiveChange(
  context: Context,
  slack: Slack,
  event: MessageEvent,
): Promise<InboundOutcome | undefined> {
  const isDeleted = isDeletion(event)
  const isSame = event.previous_message?.text === event.message?.text
  // Slack changes messages by itself, for example to add link previews.
  if (!isDeleted && event.previous_message && isSame) return ignored('Its text has not changed.')
  const { text } = readNote(event.message?.text ?? '')
  return mirrorChange(context, {
    account_id: slack.account_id,
    authorization_id: slack.id,
    channel_id: event.channel,
    external_id: messageOf(event).ts,
    readBody: isDeleted
      ? null
      : async () => withEmoji(fromMrkdwn(text, await readNames(context, slack, mentionedIn(text)))),
    version: event.event_ts ?? '',
    vendor: 'Slack',
  })
}
