import type { StoredFile } from '#contract/conversations/messages.ts'
import type { Choice } from '../composer/choices.ts'
import { newId } from '../new-id.ts'
import { type Details, listMissing } from '../session/details.ts'
import type { createVisitor } from '../session/visitor.ts'
import type { ChatStore } from '../state.ts'
import type { Storage } from '../storage.ts'
import type { createFiles } from './files.ts'
import { addUnsent, retryUnsent } from './outbox.ts'

interface WritingOptions {
  store: ChatStore
  storage: Storage
  files: ReturnType<typeof createFiles>
  visitor: ReturnType<typeof createVisitor>
  sendTyping: (text: string) => void
  sync: () => void
}

export interface Extras {
  files?: StoredFile[]
  metadata?: Record<string, unknown>
}

/** What the visitor writes, from the draft to the outbox. */
export function createWriting({ store, storage, files, visitor, sendTyping, sync }: WritingOptions) {
  /** Sends what is waiting for the visitor's details: the draft or a tapped suggestion. */
  let pendingSend: (() => void) | undefined

  function storeDraft(text: string) {
    storage.writeDraft(text)
    sendTyping(text)
  }

  /** Makes the composer reload the draft. */
  function redraw() {
    store.update({ draftings: store.get().draftings + 1 })
  }

  /** Whether this is the visitor's first message. */
  function isFirst(): boolean {
    const { thread, conversations, outbox, isLoading } = store.get()
    return thread.messages.length + conversations.length + outbox.length === 0 && !isLoading
  }

  /**
   * Whether required details are still missing. Then they are asked for, and `whenAnswered` runs once they are given.
   */
  function needsDetails(whenAnswered: () => void): boolean {
    const { appearance, claims, asks } = store.get()
    if (!isFirst() || listMissing(appearance, claims).length === 0) return false
    pendingSend = whenAnswered
    store.update({ asks: asks + 1 })
    return true
  }

  function sendDraft() {
    send(storage.readDraft())
    redraw()
  }

  /** Shows a message at once, and sends it as soon as possible. */
  function post(body: string, { files: attached = [], metadata }: Extras) {
    const message = { id: newId(), body, sent_at: new Date().toISOString(), metadata }
    storage.write(addUnsent(storage.read(), { ...message, ...(attached.length > 0 && { files: attached }) }))
    sync()
  }

  /**
   * Sends a text with the attached files; false while a file is uploading, details are missing, or there is nothing to
   * send.
   */
  function send(text: string): boolean {
    if (files.isBusy() || needsDetails(sendDraft)) return false
    const attached = files.consume()
    if (!text.trim() && attached.length === 0) return false
    post(text.trim(), { files: attached })
    storeDraft('')
    return true
  }

  return {
    isFirst,
    storeDraft,
    readDraft: () => storage.readDraft(),
    post,
    send,

    /** Sends a tapped reply. The draft and its files stay. */
    choose({ text, action }: Choice) {
      const answer = () => post(text, action ? { metadata: { reply_action: action } } : {})
      if (!needsDetails(answer)) answer()
    },

    /** Stores the visitor's details and sends what was waiting for them. */
    introduce(details: Details) {
      visitor.introduce(details)
      const go = pendingSend
      pendingSend = undefined
      go?.()
    },

    retry(id: string) {
      storage.write(retryUnsent(storage.read(), id))
      sync()
    },
  }
}
