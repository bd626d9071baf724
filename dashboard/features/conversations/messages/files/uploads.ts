import { MAX_FILE_BYTES } from '#contract/conversations/files.ts'
import type { StoredFile } from '#contract/conversations/messages.ts'
import { errorText } from '../../../../platform/http/errors.ts'
import type { Sending } from '../../../../platform/http/upload-request.ts'
import type { AttachedFile } from '../drafts/drafts.ts'

const NONE: readonly Upload[] = []

/** A file that is uploading or has failed. */
export interface Upload {
  id: string
  conversation_id: string
  name: string
  /** In bytes. */
  size: number
  state: 'uploading' | 'failed' | 'refused'
  /** The uploaded part, from 0 to 1. */
  part: number
  /** Why it failed. Files refused here have a `reason` instead, because a retry would not help. */
  error?: string
  reason?: 'too_large' | 'empty'
}

export interface UploadDependencies {
  send(file: File, sending: Sending): Promise<StoredFile>
  /** Called when the upload is complete. */
  done(conversation_id: string, file: AttachedFile): void
  newId(): string
}

/** Uploads by conversation. They continue while another conversation is open. */
export class Uploads {
  readonly #dependencies: UploadDependencies
  readonly #listeners = new Set<() => void>()
  readonly #files = new Map<string, { file: File; stop: AbortController }>()
  #uploads: readonly Upload[] = NONE
  readonly #byConversation = new Map<string, readonly Upload[]>()

  constructor(dependencies: UploadDependencies) {
    this.#dependencies = dependencies
  }

  /** The uploads of one conversation, in the order chosen. The same array while nothing changes. */
  of(conversation_id: string): readonly Upload[] {
    return this.#byConversation.get(conversation_id) ?? NONE
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Starts an upload. Files of an invalid size are refused at once. */
  add(conversation_id: string, file: File) {
    const id = this.#dependencies.newId()
    const reason = file.size > MAX_FILE_BYTES ? 'too_large' : file.size === 0 ? 'empty' : undefined
    const upload = { id, conversation_id, name: file.name, size: file.size, part: 0 }
    this.#show([...this.#uploads, { ...upload, state: reason ? 'refused' : 'uploading', ...(reason && { reason }) }])
    if (!reason) this.#send(id, file)
  }

  retry(id: string) {
    const entry = this.#files.get(id)
    if (!entry || this.#find(id)?.state !== 'failed') return
    this.#change(id, { state: 'uploading', part: 0 })
    this.#send(id, entry.file)
  }

  /** Cancels an upload, or removes a failed one. */
  cancel(id: string) {
    this.#files.get(id)?.stop.abort()
    this.#drop(id)
  }

  /** Cancels everything when the user signs out. */
  drop() {
    for (const { id } of this.#uploads) this.cancel(id)
  }

  async #send(id: string, file: File) {
    const stop = new AbortController()
    this.#files.set(id, { file, stop })
    const progress = (part: number) => this.#change(id, { part })
    try {
      const stored = await this.#dependencies.send(file, { progress, signal: stop.signal })
      const upload = this.#find(id)
      if (!upload) return
      this.#dependencies.done(upload.conversation_id, { ...stored, size: file.size })
      this.#drop(id)
    } catch (error) {
      if (!stop.signal.aborted) this.#change(id, { state: 'failed', error: errorText(error) })
    }
  }

  #find(id: string): Upload | undefined {
    return this.#uploads.find((upload) => upload.id === id)
  }

  #change(id: string, changes: Partial<Upload>) {
    this.#show(this.#uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
  }

  #drop(id: string) {
    this.#files.delete(id)
    this.#show(this.#uploads.filter((upload) => upload.id !== id))
  }

  #show(next: readonly Upload[]) {
    const touched = new Set([...this.#uploads, ...next].map((upload) => upload.conversation_id))
    for (const conversation_id of touched) {
      const before = this.of(conversation_id)
      const after = next.filter((upload) => upload.conversation_id === conversation_id)
      const isSame = before.length === after.length && after.every((upload, at) => upload === before[at])
      if (!isSame) this.#byConversation.set(conversation_id, after)
    }
    this.#uploads = next
    for (const listener of this.#listeners) listener()
  }
}
