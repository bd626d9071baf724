import type { DraftChange, KeptDraft } from '#contract/drafts.ts'
import { logError } from '../../../platform/http/errors.ts'
import { isTemporary } from '../../../platform/http/request.ts'
import { type Draft, readDraft, saysSomething, writeDraft } from './drafts.ts'

export const REVISION_PREFIX = 'parley.draft-revision:'
/** Long enough that a sentence is one save, short enough that a phone taken up next has it. */
const REST_MS = 1_500
const RETRY_MS = 10_000

/** How this device's words stand to those on the server. */
interface Standing {
  revision: number
  unsaved: boolean
}

export interface DraftSyncOptions {
  save(conversation_id: string, draft: DraftChange): Promise<KeptDraft>
  load(conversation_id: string): Promise<KeptDraft | null>
  storage: Pick<Storage, 'getItem' | 'setItem'>
  now(): number
  /** Calls back after a while. Returns how to call it off. */
  later(run: () => void, ms: number): () => void
}

/**
 * Keeps drafts on the server, so that they follow their author to other devices. What is written goes there once typing
 * rests; what another device wrote since is taken over when a conversation is opened or looked at again. Of two, the
 * one with the larger revision wins, but words that were never saved are not thrown away for it.
 */
export class DraftSync {
  readonly #doors: DraftSyncOptions
  readonly #due = new Map<string, () => void>()
  #isTakingOver = false

  constructor(doors: DraftSyncOptions) {
    this.#doors = doors
  }

  /** Something was written here. */
  written(conversation_id: string) {
    if (this.#isTakingOver) return
    const { revision } = this.#standing(conversation_id)
    this.#stand(conversation_id, { revision: Math.max(this.#doors.now(), revision + 1), unsaved: true })
    this.#saveLater(conversation_id, REST_MS)
  }

  /** Saves what is unsaved now: typing rests, or the page is left. */
  async save(conversation_id: string): Promise<void> {
    this.#callOff(conversation_id)
    const { revision, unsaved } = this.#standing(conversation_id)
    if (!unsaved) return
    try {
      const kept = await this.#doors.save(conversation_id, { ...changeOf(readDraft(conversation_id)), revision })
      if (this.#standing(conversation_id).revision !== revision) return
      this.#stand(conversation_id, { revision, unsaved: kept.revision > revision })
      this.#hear(conversation_id, kept)
    } catch (error) {
      if (isTemporary(error)) return this.#saveLater(conversation_id, RETRY_MS)
      logError('Draft not kept', error)
    }
  }

  /** Takes over what another device wrote, unless somebody is typing here. */
  async load(conversation_id: string): Promise<void> {
    try {
      const kept = await this.#doors.load(conversation_id)
      if (kept) this.#hear(conversation_id, kept)
      else if (saysSomething(readDraft(conversation_id))) this.#adopt(conversation_id)
      if (!this.#due.has(conversation_id)) await this.save(conversation_id)
    } catch (error) {
      if (!isTemporary(error)) logError('Draft not loaded', error)
    }
  }

  #hear(conversation_id: string, kept: KeptDraft) {
    const { revision, unsaved } = this.#standing(conversation_id)
    if (kept.revision <= revision || this.#due.has(conversation_id)) return
    const mine = readDraft(conversation_id)
    const isLost = (unsaved || revision === 0) && mine.body.trim() !== '' && !kept.body.includes(mine.body.trim())
    const theirs = draftOf(kept)
    this.#stand(conversation_id, { revision: kept.revision, unsaved: false })
    this.#isTakingOver = !isLost
    const body = isLost ? [theirs.body, mine.body].filter((text) => text.trim()).join('\n') : theirs.body
    writeDraft(conversation_id, { ...theirs, body })
    this.#isTakingOver = false
  }

  /** Words that were written here before drafts were kept elsewhere. */
  #adopt(conversation_id: string) {
    if (this.#standing(conversation_id).revision === 0) this.written(conversation_id)
  }

  #saveLater(conversation_id: string, ms: number) {
    this.#callOff(conversation_id)
    this.#due.set(
      conversation_id,
      this.#doors.later(() => this.save(conversation_id), ms),
    )
  }

  #callOff(conversation_id: string) {
    this.#due.get(conversation_id)?.()
    this.#due.delete(conversation_id)
  }

  #standing(conversation_id: string): Standing {
    try {
      const { revision, unsaved } = JSON.parse(this.#doors.storage.getItem(REVISION_PREFIX + conversation_id) ?? '{}')
      return { revision: Number.isSafeInteger(revision) ? revision : 0, unsaved: unsaved === true }
    } catch {
      return { revision: 0, unsaved: false }
    }
  }

  #stand(conversation_id: string, standing: Standing) {
    this.#doors.storage.setItem(REVISION_PREFIX + conversation_id, JSON.stringify(standing))
  }
}

function changeOf({ body, type, files, mentioned_user_ids }: Draft): Omit<DraftChange, 'revision'> {
  return {
    body,
    type,
    file_ids: files?.map(({ id }) => id) ?? [],
    mentioned_user_ids: [...(mentioned_user_ids ?? [])],
  }
}

function draftOf({ body, type, files, mentioned_user_ids }: KeptDraft): Draft {
  return {
    body,
    type,
    ...(files.length > 0 && { files }),
    ...(mentioned_user_ids.length > 0 && { mentioned_user_ids }),
  }
}
