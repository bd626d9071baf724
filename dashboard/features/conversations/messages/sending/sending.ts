import { useSyncExternalStore } from 'react'
import { type Message, messages } from '#contract/conversations/messages.ts'
import { call } from '../../../../platform/http/api.ts'
import { logError } from '../../../../platform/http/errors.ts'
import { newId } from '../../../../platform/new-id.ts'
import { storage } from '../../../../platform/storage.ts'
import type { MentionedUser } from '../composer/mentions.ts'
import { switchDraftOwner } from '../drafts/draft-owner.ts'
import { type Draft, returnToDraft, writeDraft } from '../drafts/drafts.ts'
import { saveDraftNow } from '../drafts/useDraftSync.ts'
import { dropUploads } from '../files/attaching.ts'
import { parseChosen } from '../recipients/chosen.ts'
import { Outbox, type Outgoing } from './outbox.ts'

let outbox: Outbox | undefined

/**
 * Opens the outbox of a signed-in user and restores their unsent messages. Stored messages are passed to `apply`.
 * Returns a function that closes it, so that nothing is sent as the next user.
 */
export function startSending(user_id: number, apply: (message: Message) => void): () => void {
  switchDraftOwner(user_id)
  const mine = new Outbox({
    post: async (outgoing) => (await call(messages.create, { body: { message: draftOf(outgoing) } })).data,
    sent(message, outgoing) {
      apply(message)
      if (!outgoing.mail) return
      import('./undo-mail.ts')
        .then(({ offerUndo }) => offerUndo(message, writtenIn(outgoing)))
        .catch((error) => logError('Undo not offered', error))
    },
    outdated: (outgoing, missed) => {
      for (const message of missed) apply(message)
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
}

/** Sends a draft and clears the composer. */
export function sendDraft(conversation_id: string, draft: Draft, { user_id, newest_number, mentions, isMail }: Sent) {
  outbox?.send({
    id: newId(),
    conversation_id,
    user_id,
    body: draft.body.trim(),
    files: draft.files,
    ...(mentions.length > 0 && { mentions }),
    type: draft.type,
    ...(isMail && draft.type === 'reply' && { mail: draft.mail ?? {} }),
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

function writtenIn({ body, type, files, mentions, mail }: Outgoing): Draft {
  return {
    body,
    type,
    ...(files && { files }),
    ...(mail && { mail }),
    ...(mentions && { mentioned_user_ids: mentions.map(({ id }) => id) }),
  }
}

/** As the server takes it. An unsent message of an earlier version has lists as texts. */
function mailOf(chosen: Draft['mail']) {
  const { subject, to, cc, bcc, quote } = parseChosen(chosen) ?? {}
  return { to: to?.slice(), cc: cc?.slice(), bcc: bcc?.slice(), subject: subject?.trim() || undefined, quote }
}

function draftOf({ id, conversation_id, body, files, mentions, type, sent_at, last_seen_number, mail }: Outgoing) {
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
    ...(last_seen_number !== null && { last_seen_number }),
  }
}
