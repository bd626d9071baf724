import type { StoredFile } from '#contract/conversations/messages.ts'
import { storage } from '../../../../platform/storage.ts'
import { type ChosenMail, parseChosen } from '../recipients/chosen.ts'

export const DRAFT_PREFIX = ':__MESSAGE_DRAFT__:'

/** The draft of one conversation, kept in local storage. */
export interface Draft {
  body: string
  type: 'reply' | 'note'
  /** The server refused it because the customer had written meanwhile. */
  outdated?: boolean
  /** Uploaded files to send with it. */
  files?: readonly AttachedFile[]
  /** Ids of users chosen from the menu. Whether they are still mentioned is decided when the message is sent. */
  mentioned_user_ids?: readonly number[]
  /** What was chosen for its mail. */
  mail?: ChosenMail
  /** What the author wrote, if the text is a translation of it. */
  original?: string | undefined
}

/** An uploaded file, with its size in bytes. */
export type AttachedFile = StoredFile & { size: number }

const EMPTY: Draft = { body: '', type: 'reply' }
const listeners = new Set<(conversation_id: string) => void>()
const read = new Map<string, { text: string | null; draft: Draft }>()

/** The draft of a conversation, empty if there is none. The same object while nothing changes. */
export function readDraft(conversation_id: string): Draft {
  const text = storage.getItem(DRAFT_PREFIX + conversation_id)
  const last = read.get(conversation_id)
  if (last && last.text === text) return last.draft
  const draft = parseDraft(text)
  read.set(conversation_id, { text, draft })
  return draft
}

export function writeDraft(conversation_id: string, { original, ...written }: Draft) {
  // Nothing is the translation of nothing.
  const draft: Draft = { ...written, ...(original && written.body !== '' && { original }) }
  const isMailEmpty = !Object.values(draft.mail ?? {}).some(Boolean)
  const isEmpty = draft.body === '' && draft.type === 'reply' && !draft.files?.length && isMailEmpty
  if (isEmpty) storage.removeItem(DRAFT_PREFIX + conversation_id)
  else storage.setItem(DRAFT_PREFIX + conversation_id, JSON.stringify(draft))
  for (const listener of listeners) listener(conversation_id)
}

/** Whether there is something to send or to lose. */
export function hasContent({ body, files }: Draft): boolean {
  return body.trim() !== '' || !!files?.length
}

/** Puts an unsent message back above what was written since. */
export function returnToDraft(conversation_id: string, returned: Draft) {
  const current = readDraft(conversation_id)
  const body = [returned.body, current.body].filter((part) => part.trim()).join('\n')
  writeDraft(conversation_id, withFiles({ ...returned, body }, [...(returned.files ?? []), ...(current.files ?? [])]))
}

/** Adds an uploaded file to the draft. */
export function attachToDraft(conversation_id: string, file: AttachedFile) {
  const draft = readDraft(conversation_id)
  writeDraft(conversation_id, withFiles(draft, [...(draft.files ?? []), file]))
}

/** Removes a file from the draft. */
export function detachFromDraft(conversation_id: string, file_id: string) {
  const draft = readDraft(conversation_id)
  writeDraft(
    conversation_id,
    withFiles(
      draft,
      (draft.files ?? []).filter((file) => file.id !== file_id),
    ),
  )
}

function withFiles({ files: _, ...draft }: Draft, files: readonly AttachedFile[]): Draft {
  const once = files.filter((file, at) => files.findIndex(({ id }) => id === file.id) === at)
  return once.length > 0 ? { ...draft, files: once } : draft
}

/** Calls the listener with the conversation's id after each change of a draft. */
export function onDrafts(listener: (conversation_id: string) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Calls the listener after each change of a draft, here or in another tab. */
export function onDraftsInAnyTab(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    // A null key means that everything was cleared.
    if (key === null || key.startsWith(DRAFT_PREFIX)) listener()
  }
  const unsubscribe = onDrafts(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    unsubscribe()
    window.removeEventListener('storage', onStorage)
  }
}

function parseDraft(text: string | null): Draft {
  if (text === null) return EMPTY
  try {
    const { body, type, outdated, files, mail, original, ...others }: Partial<Draft> = JSON.parse(text)
    const { mentioned_user_ids: mentioned } = others
    if (typeof body !== 'string') return EMPTY
    const chosen = parseChosen(mail)
    const draft: Draft = {
      body,
      type: type === 'note' ? 'note' : 'reply',
      ...(outdated === true && { outdated }),
      ...(chosen && { mail: chosen }),
      ...(typeof original === 'string' && { original }),
      ...(Array.isArray(mentioned) && { mentioned_user_ids: mentioned.filter(Number.isInteger) }),
    }
    return withFiles(draft, Array.isArray(files) ? files.filter(isFile) : [])
  } catch {
    return { ...EMPTY, body: text }
  }
}

function isFile(file: Partial<AttachedFile> | null): file is AttachedFile {
  const texts = [file?.id, file?.filename, file?.file_url, file?.content_type]
  return texts.every((text) => typeof text === 'string')
}
