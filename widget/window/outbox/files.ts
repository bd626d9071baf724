import type { StoredFile } from '#contract/conversations/messages.ts'
import type { InboxRef } from '../calls.ts'
import type { Uploader } from '../lazy/uploading.ts'
import { newId } from '../new-id.ts'
import type { ChatStore } from '../state.ts'
import type { Storage } from '../storage.ts'

/** A file attached to the next message; one with `seconds` is a voice message, which is sent by itself. */
export interface ChosenFile {
  id: string
  name: string
  seconds?: number
  state: 'waiting' | 'failed' | 'refused' | 'stored'
  /** The uploaded part, from 0 to 1. */
  part: number
  reason?: 'tooLarge' | 'isEmpty' | 'refusedFile'
  stored?: StoredFile
}

interface FilesOptions {
  store: ChatStore
  storage: Storage
  inbox: InboxRef
  sendVoice: (file: StoredFile, seconds: number) => void
}

/** The files beside the draft. The uploader is loaded with the first of them. */
export function createFiles({ store, storage, inbox, sendVoice }: FilesOptions) {
  let uploader: Promise<Uploader> | undefined

  function show(files: ChosenFile[]) {
    store.update({ files })
    storage.writeFiles({
      stored: files.flatMap(({ stored }) => stored ?? []),
      isWaiting: files.some(({ state }) => state === 'waiting' || state === 'failed'),
    })
  }

  function change(id: string, changes: Partial<ChosenFile>) {
    show(store.get().files.map((file) => (file.id === id ? { ...file, ...changes } : file)))
  }

  function drop(id: string) {
    show(store.get().files.filter((file) => file.id !== id))
  }

  function done(id: string, stored: StoredFile) {
    const file = store.get().files.find((entry) => entry.id === id)
    if (file?.seconds === undefined) return change(id, { state: 'stored', part: 1, stored })
    drop(id)
    sendVoice(stored, file.seconds)
  }

  /** Loads the uploader; if that fails, the next call tries again. */
  function loadUploader(): Promise<Uploader> {
    uploader ??= import('../lazy/uploading.ts').then(({ createUploader }) =>
      createUploader({
        account_id: inbox.account_id,
        name: storage.name,
        token: () => storage.read().session?.token,
        change,
        done,
      }),
    )
    uploader.catch(() => {
      uploader = undefined
    })
    return uploader
  }

  return {
    /** Restores the files that were chosen before the page was left. */
    async restore() {
      const { stored, isWaiting } = storage.readFiles()
      store.update({
        files: stored.map((file) => ({ id: file.id, name: file.filename, state: 'stored', part: 1, stored: file })),
      })
      if (!isWaiting) return
      const { restore } = await loadUploader()
      for (const { id, name, seconds } of await restore()) {
        show([...store.get().files, { id, name, seconds, state: 'waiting', part: 0 }])
      }
    },

    add(files: readonly File[], seconds?: number) {
      for (const file of files) {
        const id = newId()
        show([...store.get().files, { id, name: file.name, seconds, state: 'waiting', part: 0 }])
        loadUploader().then(
          ({ send }) => send(id, file, seconds),
          () => change(id, { state: 'failed' }),
        )
      }
    },

    retry(id: string) {
      change(id, { state: 'waiting', part: 0 })
      void loadUploader().then(({ retry }) => retry(id))
    },

    /** Removes a file, and cancels its upload. */
    remove(id: string) {
      drop(id)
      void uploader?.then(({ cancel }) => cancel(id))
    },

    /** Whether a file is still uploading, so that a message would be sent without it. */
    isBusy: () => store.get().files.some(({ state, seconds }) => state === 'waiting' && seconds === undefined),

    /** Removes and returns the uploaded files. Failed ones stay. */
    consume(): StoredFile[] {
      const { files } = store.get()
      show(files.filter(({ state }) => state !== 'stored'))
      return files.flatMap(({ stored }) => stored ?? [])
    },
  }
}
