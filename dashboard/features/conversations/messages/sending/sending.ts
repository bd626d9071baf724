import { useSyncExternalStore } from 'react'
import { type Message, messages } from '#contract/conversations/messages.ts'
import { type ScheduledMessage, scheduledMessages } from '#contract/conversations/scheduled-messages.ts'
import { call } from '../../../../platform/http/api.ts'
import { newId } from '../../../../platform/new-id.ts'
import { storage } from '../../../../platform/storage.ts'
import type { MentionedUser } from '../composer/mentions.ts'
import { switchDraftOwner } from '../drafts/draft-owner.ts'
import { type Draft, returnToDraft, writeDraft } from '../drafts/drafts.ts'
import { saveDraftNow } from '../drafts/useDraftSync.ts'
import { dropUploads } from '../files/attaching.ts'
import { parseChosen } from '../recipients/chosen.ts'
import type { SendPlan } from '../scheduled/plan.ts'
import { Outbox, type Outgoing } from './outbox.ts'

let outbox: Outbox | undefined

/** What becomes of a reply that the server has accepted. */
interface Accepted {
  message(message: Message): void
  /** It is sent later, or in some seconds. */
  scheduled(scheduled: ScheduledMessage): void
}

/**
 * Opens the outbox of a signed-in user and restores their unsent messages. Returns a function that closes it, so that
 * nothing is sent as the next user.
 */
export function startSending(user_id: number, accepted: Accepted): () => void {
  switchDraftOwner(user_id)
  const mine = new Outbox({
    post,
    sent: (stored) => (stored.object === 'message' ? accepted.message(stored) : accepted.scheduled(stored)),
    outdated: (outgoing, missed) => {
      for (const message of missed) accepted.message(message)
      returnToDraft(outgoing.conversation_id, { ...writtenIn(outgoing), outdated: true })
    },
    storage,
    later: (run, ms) => setTimeout(run, ms),
  })
  mine.restore(user_id)
  outbox = mine
  return () => {
    mine.close()
    dropUploads()
    if (outbox === mine) outbox = undefined
  }
}

/** Sends messages that are waiting for a connection. */
export function resumeSending() {
  outbox?.resume()
}

interface Sent {
  user_id: number
  /** Number of the newest message that the author had on screen. */
  newest_number: number
  mentions: readonly MentionedUser[]
  /** Whether it is sent as an email. */
  isMail: boolean
  /** The author was asked, because the customer may have asked for no more messages. */
  send_anyway: boolean
  /** If it is not simply sent at once. Notes are. */
  plan: SendPlan | undefined
}

/** Sends a draft and clears the composer. */
export function sendDraft(
  conversation_id: string,
  draft: Draft,
  { user_id, newest_number, mentions, isMail, send_anyway, plan }: Sent,
) {
  outbox?.send({
    id: newId(),
    conversation_id,
    user_id,
    body: draft.body.trim(),
    files: draft.files,
    ...(mentions.length > 0 && { mentions }),
    type: draft.type,
    ...(isMail && draft.type === 'reply' && { mail: draft.mail ?? {} }),
    ...(draft.type === 'reply' && { plan, original: draft.original }),
    ...(send_anyway && { send_anyway }),
    sent_at: new Date().toISOString(),
    last_seen_number: draft.outdated || draft.type === 'note' ? null : newest_number,
    state: 'sending',
  })
  // Also resets to a reply after a note: otherwise the next reply could be written as a note, which the customer never
  // receives.
  writeDraft(conversation_id, { body: '', type: 'reply' })
  saveDraftNow(conversation_id)
}

export function retrySending(id: string) {
  outbox?.retry(id)
}

/** Moves a failed message back into the composer. */
export function editUnsent(id: string) {
  const outgoing = outbox?.withdraw(id)
  if (outgoing) returnToDraft(outgoing.conversation_id, writtenIn(outgoing))
}

const NONE: readonly Outgoing[] = []
const subscribe = (listener: () => void) => outbox?.subscribe(listener) ?? (() => {})

/** The unsent messages of this conversation, oldest first. */
export function useUnsent(conversation_id: string): readonly Outgoing[] {
  return useSyncExternalStore(subscribe, () => outbox?.of(conversation_id) ?? NONE)
}

/** How many messages of this user wait to be sent, in whatever conversation. */
export function useUnsentCount(): number {
  return useSyncExternalStore(subscribe, () => outbox?.size ?? 0)
}

function writtenIn({ body, type, files, mentions, mail, original }: Outgoing): Draft {
  return {
    body,
    type,
    ...(files && { files }),
    ...(mail && { mail }),
    ...(original && { original }),
    ...(mentions && { mentioned_user_ids: mentions.map(({ id }) => id) }),
  }
}

/** As the server takes it. An unsent message of an earlier version has lists as texts. */
function mailOf(chosen: Draft['mail']) {
  const { subject, to, cc, bcc, quote } = parseChosen(chosen) ?? {}
  return { to: to?.slice(), cc: cc?.slice(), bcc: bcc?.slice(), subject: subject?.trim() || undefined, quote }
}

async function post(outgoing: Outgoing): Promise<Message | ScheduledMessage> {
  const { id, conversation_id, body, files, mail, last_seen_number, plan, original, send_anyway } = outgoing
  if (!plan) return (await call(messages.create, { body: { message: draftOf(outgoing) } })).data
  const scheduled_message = {
    id,
    conversation_id,
    body,
    file_ids: files?.map((file) => file.id),
    ...(mail && { mail: mailOf(mail) }),
    last_seen_number,
    send_anyway,
    ...(original && { original_body: original }),
    ...plan,
  }
  return (await call(scheduledMessages.create, { body: { scheduled_message } })).data
}

function draftOf({ id, conversation_id, body, files, mentions, type, sent_at, ...outgoing }: Outgoing) {
  const { last_seen_number, mail, original, send_anyway } = outgoing
  return {
    id,
    conversation_id,
    body,
    ...(files && { file_ids: files.map((file) => file.id) }),
    ...(mentions && { mentioned_user_ids: mentions.map(({ id }) => id), metadata: { mentions } }),
    type,
    private: type === 'note',
    ...(mail && { mail: mailOf(mail) }),
    sent_at,
    ...(original && { original_body: original }),
    ...(last_seen_number !== null && { last_seen_number }),
    send_anyway,
  }
}
