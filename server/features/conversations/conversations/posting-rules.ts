import type { MessageDraft } from '#contract/conversations/messages.ts'
import type { Context } from '../../../context.ts'
import { Invalid, OutdatedView, Refusal } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { blocked } from '../../customers/customers/changing.ts'
import { expandMessages, selectMessages } from '../messages/messages.ts'
import { assertMailboxConnected } from './admit-mail.ts'
import type { ConversationDbRow } from './conversations.ts'
import { type ChosenMail, readMailOptions } from './mail-options.ts'
import { type Author, isCustomer } from './message-author.ts'
import type { Opened } from './open-for-posting.ts'
import { assertNoPossibleOptOut, assertWindowOpen } from './unsendable.ts'

/** The message to post; its author is a separate parameter. */
export type Draft = Omit<MessageDraft, 'customer_id' | 'mail'> &
  ChosenMail & {
    /** The team starts the conversation with it, so it is no reply and assigns nobody. */
    isOpening?: boolean
    /** A side remark: it neither reopens the conversation nor marks it as unread. */
    isQuiet?: boolean
    /** An approved template of the channel, which may be sent at any time. */
    isTemplate?: boolean
    /** Since when the customer may have asked for no more messages; null if there is no doubt any more. */
    possible_opt_out_at?: string | null
    /** When it was written, if it was moved here from another conversation. */
    created_at?: string
    /** The name of its author, who has no account here: somebody who answered in Slack or Mattermost. */
    external_author?: string | undefined
    /** The assistant wrote it, in nobody's name. */
    isByAssistant?: boolean
    /** The mail it arrived as. */
    email?: { subject: string | null; html: string | null }
  }

/** Why a message must not be stored, if there is a reason. */
export async function findRefusal(
  { mailer }: Pick<Context, 'mailer'>,
  change: Change,
  { conversation, writer }: Pick<Opened, 'conversation' | 'writer'>,
  author: Author,
  draft: Draft,
) {
  // What arrived as a mail was sent already.
  const isToBeMailed = isMail(conversation, author, draft) && !draft.email
  try {
    assertNotEmpty(draft)
    if (writer.customer?.blocked_at) throw blocked()
    readMailOptions(draft, isMail(conversation, author, draft))
    if (!isCustomer(author) && !isPrivate(draft)) {
      if (!draft.isTemplate) assertWindowOpen(conversation)
      assertNoPossibleOptOut(conversation, draft.send_anyway)
    }
    if (isToBeMailed && !mailer.isOn) await assertMailboxConnected(change.db, conversation.account_id)
    await assertUpToDate(change, conversation, author, draft)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Whether it is a reply of the team that is sent by mail. */
export function isMail(conversation: ConversationDbRow, author: Author, draft: Draft): boolean {
  return conversation.source === 'email' && !isCustomer(author) && !isPrivate(draft)
}

/** A message needs content: text, files, a form, or a pressed button. */
export function assertNotEmpty({
  body,
  file_ids,
  metadata,
  template,
}: Pick<Draft, 'body' | 'file_ids' | 'metadata' | 'template'>) {
  if (!body?.trim() && !file_ids?.length && !metadata?.reply_action && !template)
    throw new Invalid({ body: ["can't be blank"] })
}

/** A reply written before the customer's newest message may answer an outdated question. */
async function assertUpToDate({ db }: Change, conversation: ConversationDbRow, author: Author, draft: Draft) {
  const seen = draft.last_seen_number
  if (author.kind !== 'user' || draft.private || seen === null || seen === undefined) return
  if (seen >= conversation.last_number) return
  const { account_id, id } = conversation
  const missed = await selectMessages(db, account_id)
    .where('conversation_id', '=', id)
    .where('number', '>', seen)
    .orderBy('number')
    .limit(50)
    .execute()
  if (missed.some((message) => message.customer_id !== null)) {
    throw new OutdatedView(await expandMessages(db, account_id, missed))
  }
}

/** A note is private, even if the client sent only one of the two. */
export function isPrivate(draft: Pick<Draft, 'private' | 'type'>): boolean {
  return draft.private ?? draft.type === 'note'
}
