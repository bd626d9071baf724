import type { DraftChange, StoredDraft } from '#contract/conversations/drafts.ts'
import { logError } from '../../../../platform/http/errors.ts'
import { isTemporary } from '../../../../platform/http/request.ts'
import { type Draft, hasContent, readDraft, writeDraft } from './drafts.ts'

export const REVISION_PREFIX = 'parley.draft-revision:'
/** Long enough for a sentence, short enough that the draft is there on another device. */
const REST_MS = 1_500
const RETRY_MS = 10_000

/** How the local draft relates to the one on the server. */
interface SyncState {
  revision: number
  unsaved: boolean
}

export interface DraftSyncOptions {
  save(conversation_id: string, draft: DraftChange): Promise<StoredDraft>
  load(conversation_id: string): Promise<StoredDraft | null>
  storage: Pick<Storage, 'getItem' | 'setItem'>
  now(): number
  /** Calls `run` after `ms`. Returns a function that cancels it. */
  later(run: () => void, ms: number): () => void
}

/**
 * Synchronizes drafts with the server, so that they follow their author to other devices. Drafts are saved once typing
 * pauses, and loaded when a conversation is opened or the window gets the focus. The larger revision wins, but unsaved
 * text is appended instead of being overwritten.
 */
export class DraftSync {
  readonly #options: DraftSyncOptions
  readonly #due = new Map<string, () => void>()
  #isApplyingRemote = false

  constructor(options: DraftSyncOptions) {
    this.#options = options
  }

  /** Called after each local change. */
  written(conversation_id: string) {
    if (this.#isApplyingRemote) return
    const { revision } = this.#stateOf(conversation_id)
    this.#storeState(conversation_id, { revision: Math.max(this.#options.now(), revision + 1), unsaved: true })
    this.#saveLater(conversation_id, REST_MS)
  }

  /** Saves unsaved changes now. */
  async save(conversation_id: string): Promise<void> {
    this.#cancelSave(conversation_id)
    const { revision, unsaved } = this.#stateOf(conversation_id)
    if (!unsaved) return
    try {
      const remote = await this.#options.save(conversation_id, { ...changeOf(readDraft(conversation_id)), revision })
      if (this.#stateOf(conversation_id).revision !== revision) return
      this.#storeState(conversation_id, { revision, unsaved: remote.revision > revision })
      this.#applyRemote(conversation_id, remote)
    } catch (error) {
      if (isTemporary(error)) return this.#saveLater(conversation_id, RETRY_MS)
      logError('Draft not saved', error)
    }
  }

  /** Loads changes of other devices, unless the user is typing here. */
  async load(conversation_id: string): Promise<void> {
    try {
      const remote = await this.#options.load(conversation_id)
      if (remote) this.#applyRemote(conversation_id, remote)
      else if (hasContent(readDraft(conversation_id))) this.#claimOlder(conversation_id)
      if (!this.#due.has(conversation_id)) await this.save(conversation_id)
    } catch (error) {
      if (!isTemporary(error)) logError('Draft not loaded', error)
    }
  }

  #applyRemote(conversation_id: string, remote: StoredDraft) {
    const { revision, unsaved } = this.#stateOf(conversation_id)
    if (remote.revision <= revision || this.#due.has(conversation_id)) return
    const mine = readDraft(conversation_id)
    const isLost = (unsaved || revision === 0) && mine.body.trim() !== '' && !remote.body.includes(mine.body.trim())
    const theirs = draftOf(remote)
    this.#storeState(conversation_id, { revision: remote.revision, unsaved: false })
    this.#isApplyingRemote = !isLost
    writeDraft(conversation_id, isLost ? { ...theirs, ...joined(theirs, mine) } : theirs)
    this.#isApplyingRemote = false
  }

  /** Saves a draft from before drafts were synchronized. */
  #claimOlder(conversation_id: string) {
    if (this.#stateOf(conversation_id).revision === 0) this.written(conversation_id)
  }

  #saveLater(conversation_id: string, ms: number) {
    this.#cancelSave(conversation_id)
    this.#due.set(
      conversation_id,
      this.#options.later(() => this.save(conversation_id), ms),
    )
  }

  #cancelSave(conversation_id: string) {
    this.#due.get(conversation_id)?.()
    this.#due.delete(conversation_id)
  }

  #stateOf(conversation_id: string): SyncState {
    try {
      const { revision, unsaved } = JSON.parse(this.#options.storage.getItem(REVISION_PREFIX + conversation_id) ?? '{}')
      return { revision: Number.isSafeInteger(revision) ? revision : 0, unsaved: unsaved === true }
    } catch {
      return { revision: 0, unsaved: false }
    }
  }

  #storeState(conversation_id: string, state: SyncState) {
    this.#options.storage.setItem(REVISION_PREFIX + conversation_id, JSON.stringify(state))
  }
}

/** The texts of two drafts, and what their author wrote if one of them is a translation. */
function joined(...drafts: [Draft, Draft]): Pick<Draft, 'body' | 'original'> {
  const join = (texts: string[]) => texts.filter((text) => text.trim()).join('\n')
  const isTranslated = drafts.some(({ original }) => original)
  return {
    body: join(drafts.map(({ body }) => body)),
    ...(isTranslated && { original: join(drafts.map(({ body, original }) => original ?? body)) }),
  }
}

function changeOf({ body, original, type, files, mentioned_user_ids }: Draft): Omit<DraftChange, 'revision'> {
  return {
    body,
    original_body: original ?? null,
    type,
    file_ids: files?.map(({ id }) => id) ?? [],
    mentioned_user_ids: [...(mentioned_user_ids ?? [])],
  }
}

function draftOf({ body, original_body, type, files, mentioned_user_ids }: StoredDraft): Draft {
  return {
    body,
    type,
    ...(original_body && { original: original_body }),
    ...(files.length > 0 && { files }),
    ...(mentioned_user_ids.length > 0 && { mentioned_user_ids }),
  }
}
