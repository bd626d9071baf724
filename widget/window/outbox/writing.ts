import type { StoredFile } from '#contract/messages.ts'
import type { Choice } from '../composer/choices.ts'
import { newId } from '../new-id.ts'
import { type Details, listMissing } from '../session/details.ts'
import type { createVisitor } from '../session/visitor.ts'
import type { ChatStore } from '../state.ts'
import type { Storage } from '../storage.ts'
import type { createFiles } from './files.ts'
import { addUnsent, retryUnsent } from './outbox.ts'

interface Parts {
  store: ChatStore
  storage: Storage
  files: ReturnType<typeof createFiles>
  visitor: ReturnType<typeof createVisitor>
  tellTyping: (text: string) => void
  follow: () => void
}

export interface Extras {
  files?: StoredFile[]
  metadata?: Record<string, unknown>
}

/** What the visitor writes, from the first letter until it stands in the outbox. */
export function createWriting({ store, storage, files, visitor, tellTyping, follow }: Parts) {
  /** What goes as soon as the visitor has said how to reach them: what they wrote, or the suggestion they tapped. */
  let held: (() => void) | undefined

  function keepDraft(text: string) {
    storage.writeDraft(text)
    tellTyping(text)
  }

  /** Tells the composer that the draft is another one now. */
  function redraw() {
    store.update({ draftings: store.get().draftings + 1 })
  }

  /** Whether nobody has said anything yet, here or before. */
  function isFirst(): boolean {
    const { thread, conversations, outbox, isLoading } = store.get()
    return thread.messages.length + conversations.length + outbox.length === 0 && !isLoading
  }

  /** What the team wants to know first is asked first. What was to be sent goes when the visitor has answered. */
  function isAsking(whenAnswered: () => void): boolean {
    const { appearance, known, asks } = store.get()
    if (!isFirst() || listMissing(appearance, known).length === 0) return false
    held = whenAnswered
    store.update({ asks: asks + 1 })
    return true
  }

  function sendDraft() {
    send(storage.readDraft())
    redraw()
  }

  /** Shows a message at once and sends it as soon as that is possible. */
  function post(body: string, { files: attached = [], metadata }: Extras) {
    const message = { id: newId(), body, sent_at: new Date().toISOString(), metadata }
    storage.write(addUnsent(storage.read(), { ...message, ...(attached.length > 0 && { files: attached }) }))
    follow()
  }

  /** Sends a text with the files beside it; true when it is on its way. Nothing goes while a file is still on its own. */
  function send(text: string): boolean {
    if (files.isBusy() || isAsking(sendDraft)) return false
    const attached = files.take()
    if (!text.trim() && attached.length === 0) return false
    post(text.trim(), { files: attached })
    keepDraft('')
    return true
  }

  return {
    isFirst,
    keepDraft,
    readDraft: () => storage.readDraft(),
    post,
    send,

    /** Answers with one tap. The draft and its files stay. */
    choose({ text, action }: Choice) {
      const answer = () => post(text, action ? { metadata: { reply_action: action } } : {})
      if (!isAsking(answer)) answer()
    },

    /** The visitor has said how to reach them. What waited for it goes now. */
    introduce(details: Details) {
      visitor.introduce(details)
      const go = held
      held = undefined
      go?.()
    },

    /** Sends a refused message again. */
    retry(id: string) {
      storage.write(retryUnsent(storage.read(), id))
      follow()
    },
  }
}
