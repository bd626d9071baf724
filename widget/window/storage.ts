import type { StoredFile } from '#contract/conversations/messages.ts'
import type { InboxRef } from './calls.ts'
import { NO_VISITOR_DATA, type VisitorData } from './outbox/outbox.ts'
import type { Details } from './session/details.ts'

const memory = new Map<string, string>()

/** localStorage, or memory where the browser forbids it or it is full. */
export function read(key: string): string | null {
  try {
    return memory.get(key) ?? localStorage.getItem(key)
  } catch {
    return null
  }
}

export function write(key: string, value: string | null) {
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

interface DraftFiles {
  stored: StoredFile[]
  isWaiting: boolean
}

/** The stored data of one visitor. All inboxes of an account share the session. */
export function createStorage({ account_id, inbox_id = 'primary', test_token }: InboxRef) {
  // The support chat of the dashboard may be of the same account.
  const sessionKey = `parley:${test_token ? 'test:' : ''}${account_id}`
  const inboxKey = `${sessionKey}:${inbox_id}`
  const draftKey = `${inboxKey}:draft`
  const filesKey = `${inboxKey}:files`
  const detailsKey = `${sessionKey}:details`
  return {
    name: inboxKey,

    read(): VisitorData {
      const { session } = parse<VisitorData>(read(sessionKey))
      const { conversation, outbox } = parse<VisitorData>(read(inboxKey))
      return {
        ...NO_VISITOR_DATA,
        ...(session && { session }),
        ...(conversation && { conversation }),
        ...(Array.isArray(outbox) && { outbox }),
      }
    },

    write({ session, conversation, outbox }: VisitorData) {
      write(sessionKey, session && JSON.stringify({ session }))
      write(inboxKey, JSON.stringify({ conversation, outbox }))
    },

    readDraft: () => read(draftKey) ?? '',
    writeDraft: (text: string) => write(draftKey, text || null),

    /** Attached files: those uploaded, and whether others still wait. */
    readFiles: () => ({ stored: [], isWaiting: false, ...parse<DraftFiles>(read(filesKey)) }) as DraftFiles,
    writeFiles: (files: DraftFiles) =>
      write(filesKey, files.stored.length > 0 || files.isWaiting ? JSON.stringify(files) : null),

    /** The details that the visitor gave when asked. */
    readDetails: () => parse<Details>(read(detailsKey)),
    writeDetails: (details: Details) => write(detailsKey, JSON.stringify(details)),

    /** Deletes all data of the visitor, in every inbox of the account. */
    wipe() {
      for (const key of listKeys()) if (key.startsWith(sessionKey)) write(key, null)
      try {
        // Files that are not uploaded yet are in IndexedDB, under the name of this inbox.
        indexedDB.deleteDatabase(inboxKey)
      } catch {
        // Where the browser forbids IndexedDB, there are no files to delete.
      }
    },

    /** Called when another window of this browser changes something. */
    onChange(listener: () => void) {
      addEventListener('storage', ({ key }) => {
        if (key === sessionKey || key === inboxKey) listener()
      })
    },
  }
}

export type Storage = ReturnType<typeof createStorage>
