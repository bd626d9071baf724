import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Article, ArticleTranslation } from '#contract/help/articles.ts'
import { useAutosave } from '../../../platform/forms/useAutosave.ts'
import { logError } from '../../../platform/http/errors.ts'
import { ApiError } from '../../../platform/http/request.ts'
import { useUnsaved } from '../../../ui/form-guard.ts'
import { saveDraft } from '../articles/queries.ts'

export interface ArticleTexts {
  title: string
  summary: string
  body: string
  slug: string
}

const EMPTY: ArticleTexts = { title: '', summary: '', body: '', slug: '' }
/** Articles are long texts, so they are saved less often than settings. */
const PAUSE_MS = 1_000

/**
 * The edits to one language of an article, saved after a pause. What is not edited follows the server. If somebody else has
 * saved meanwhile, nothing is saved until the author has decided which text stays.
 */
export function useArticleDraft(article: Article, language: string) {
  const client = useQueryClient()
  const [edits, setEdits] = useState<Partial<ArticleTexts>>({})
  const [conflict, setConflict] = useState<ArticleTranslation>()
  const latest = useRef(edits)
  /** The version on which the edits are based. */
  const base = useRef<number>(undefined)
  const stored = article.translations.find((translation) => translation.language === language)
  const saved = useRef(stored)
  // An answer that began before the last save may come after it.
  if (stored && stored.version >= (saved.current?.version ?? 0)) saved.current = stored
  const replace = (next: Partial<ArticleTexts>) => {
    latest.current = next
    setEdits(next)
  }

  const { state, schedule, flush } = useAutosave(async () => {
    const sent = latest.current
    const { slug, ...texts } = { ...EMPTY, ...saved.current, ...sent }
    const { title, summary, body } = texts
    const version = base.current ?? saved.current?.version ?? 0
    try {
      const draft = { title, summary, body, version, ...(sent.slug !== undefined && { slug }) }
      const next = await saveDraft(client, { id: article.id, language }, draft)
      saved.current = next.translations.find((translation) => translation.language === language)
      base.current = saved.current?.version
      if (latest.current === sent) replace({})
      else replace(changedSince(sent, latest.current))
    } catch (error) {
      const theirs = theirVersion(error)
      if (theirs) setConflict(theirs)
      else logError('Article not saved', error)
      throw error
    }
  }, PAUSE_MS)
  useUnsaved(state.is === 'failed')

  return {
    draft: { ...EMPTY, ...saved.current, ...edits },
    translation: saved.current,
    /** The version on the server, also right after saving. */
    savedVersion: () => saved.current?.version,
    isEdited: Object.keys(edits).length > 0,
    state,
    conflict,
    change(changes: Partial<ArticleTexts>) {
      if (Object.keys(latest.current).length === 0) base.current = saved.current?.version
      replace({ ...latest.current, ...changes })
      schedule()
    },
    /** Saves pending edits at once. */
    flush,
    /** Saves this author's text over that of the other one. */
    async keepMine() {
      base.current = conflict?.version
      setConflict(undefined)
      await flush()
    },
    /** Goes on with the text of the other author. */
    async takeTheirs() {
      saved.current = conflict
      base.current = conflict?.version
      replace({})
      setConflict(undefined)
      // Saves what is there already, which changes nothing, so that the failure is forgotten.
      await flush()
    },
  }
}

/** The edits that were made while others were being saved. */
function changedSince(sent: Partial<ArticleTexts>, now: Partial<ArticleTexts>): Partial<ArticleTexts> {
  const changed = Object.entries(now).filter(([field, text]) => sent[field as keyof ArticleTexts] !== text)
  return Object.fromEntries(changed)
}

/** The other author's draft, if that is why saving was refused. */
function theirVersion(error: unknown): ArticleTranslation | undefined {
  if (!(error instanceof ApiError) || error.reason !== 'outdated_draft') return undefined
  return (Object(error.body) as { data?: ArticleTranslation | null }).data ?? undefined
}
