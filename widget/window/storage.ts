import type { StoredFile } from '#contract/messages.ts'
import type { InboxRef } from './calls.ts'
import { type Kept, NOTHING_KEPT } from './outbox/outbox.ts'
import type { Details } from './session/details.ts'

const memory = new Map<string, string>()

/** Storage of this origin. Where the browser forbids it or it is full, memory does until the page is left. */
function read(key: string): string | null {
  try {
    return memory.get(key) ?? localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string | null) {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    if (value === null) memory.delete(key)
    else memory.set(key, value)
  }
}

function listKeys(): string[] {
  try {
    return [...memory.keys(), ...Object.keys(localStorage)]
  } catch {
    return [...memory.keys()]
  }
}

function parse<Shape>(text: string | null): Partial<Shape> {
  try {
    return Object(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}

interface KeptFiles {
  stored: StoredFile[]
  isWaiting: boolean
}

/** Where one visitor's things lie. A visitor is the same person in every inbox of an account. */
export function createStorage({ account_id, inbox_id = 'primary' }: InboxRef) {
  const sessionKey = `parley:${account_id}`
  const inboxKey = `${sessionKey}:${inbox_id}`
  const draftKey = `${inboxKey}:draft`
  const filesKey = `${inboxKey}:files`
  const detailsKey = `${sessionKey}:details`
  return {
    name: inboxKey,

    read(): Kept {
      const { session } = parse<Kept>(read(sessionKey))
      const { conversation, outbox } = parse<Kept>(read(inboxKey))
      return {
        ...NOTHING_KEPT,
        ...(session && { session }),
        ...(conversation && { conversation }),
        ...(Array.isArray(outbox) && { outbox }),
      }
    },

    write({ session, conversation, outbox }: Kept) {
      write(sessionKey, session && JSON.stringify({ session }))
      write(inboxKey, JSON.stringify({ conversation, outbox }))
    },

    readDraft: () => read(draftKey) ?? '',
    writeDraft: (text: string) => write(draftKey, text || null),

    /** Files that were chosen and not sent yet: those on the server, and whether others wait to get there. */
    readFiles: () => ({ stored: [], isWaiting: false, ...parse<KeptFiles>(read(filesKey)) }) as KeptFiles,
    writeFiles: (files: KeptFiles) =>
      write(filesKey, files.stored.length > 0 || files.isWaiting ? JSON.stringify(files) : null),

    /** What the visitor said of themselves when asked. */
    readDetails: () => parse<Details>(read(detailsKey)),
    writeDetails: (details: Details) => write(detailsKey, JSON.stringify(details)),

    /** Forgets who was here and all they left, in every inbox of the account. */
    wipe() {
      for (const key of listKeys()) if (key.startsWith(sessionKey)) write(key, null)
      try {
        // Files that had not arrived yet are kept apart, under the name of this inbox.
        indexedDB.deleteDatabase(inboxKey)
      } catch {
        // Where the browser forbids it, none were kept.
      }
    },

    /** Hears when another window of this browser changed something. */
    onChange(listener: () => void) {
      addEventListener('storage', ({ key }) => {
        if (key === sessionKey || key === inboxKey) listener()
      })
    },
  }
}

export type Storage = ReturnType<typeof createStorage>
