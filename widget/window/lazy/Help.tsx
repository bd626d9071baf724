import { useEffect, useMemo, useState } from 'react'
import type { ArticleHit, PublicHelpCenter } from '#contract/help/public-articles.ts'
import './Help.css'
import { fill } from '../appearance/labels.ts'
import type { Translation } from '../appearance/translation.ts'
import { Line } from '../thread/Line.tsx'
import { Article } from './Article.tsx'
import { createHelpCalls, type HelpCalls } from './help-calls.ts'
import { type HelpLabels, loadHelpLabels } from './help-labels.ts'

/** A pause in typing after which articles are searched. */
const PAUSE_MS = 600
const MIN_LENGTH = 3
const MAX_FIRST = 5

type Listed = Pick<ArticleHit, 'id' | 'title' | 'summary'>

/** Articles above the field for the first message: a search, and what fits what somebody is writing. */
export function Help({ translation: { language, labels } }: { translation: Translation }) {
  const [texts, setTexts] = useState<HelpLabels>()
  const [center, setCenter] = useState<PublicHelpCenter>()
  const [shown, setShown] = useState<string>()
  const calls = useMemo(() => createHelpCalls(language), [language])
  useEffect(() => {
    let isStale = false
    void Promise.all([loadHelpLabels(language), calls.home()]).then(([loaded, outcome]) => {
      if (isStale) return
      setTexts(loaded)
      if (outcome.kind === 'done') setCenter(outcome.answer.data)
    })
    return () => {
      isStale = true
    }
  }, [language, calls])
  if (!texts || !center) return null
  return (
    <section className="help" aria-label={center.name}>
      <FoundArticles texts={texts} center={center} calls={calls} show={setShown} />
      {shown && (
        <Article key={shown} id={shown} calls={calls} texts={texts} labels={labels} close={() => setShown(undefined)} />
      )}
    </section>
  )
}

interface FoundProps {
  texts: HelpLabels
  center: PublicHelpCenter
  calls: HelpCalls
  show: (id: string) => void
}

/** The search, its results, and before that the first articles of each collection. */
function FoundArticles({ texts, center, calls, show }: FoundProps) {
  const [typed, setTyped] = useState('')
  const draft = useDraft()
  const q = typed.trim() || draft
  const hits = useHits(calls, q, !typed.trim())
  const first = center.collections.flatMap(({ articles }) => articles)
  // Nothing fits what somebody is writing: they go on without being disturbed.
  const isSearch = hits !== undefined && (hits.length > 0 || typed.trim() !== '')
  const listed: Listed[] = isSearch ? hits : first.slice(0, MAX_FIRST)
  return (
    <>
      <input
        type="search"
        className="help-search"
        aria-label={texts.search}
        placeholder={texts.search}
        maxLength={200}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <p className="help-heading" role="status">
        {headingOf(texts, isSearch ? hits.length : undefined, typed.trim() !== '')}
      </p>
      <ul className="help-list">
        {listed.map(({ id, title, summary }) => (
          <li key={id}>
            <button type="button" onClick={() => show(id)}>
              <Line text={title}>
                <span dir="auto">{title}</span>
                {summary && (
                  <span className="help-summary" dir="auto">
                    {summary}
                  </span>
                )}
              </Line>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** What is said of the list: how much was found, that it may help with the message, or what it is. */
function headingOf(texts: HelpLabels, count: number | undefined, isSearch: boolean): string {
  if (count === undefined) return texts.articles
  if (!isSearch) return texts.suggested
  return count > 0 ? fill(texts.found, { count }) : texts.none
}

/** The first message while it is written, after a pause. */
function useDraft(): string {
  const [draft, setDraft] = useState('')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const onInput = ({ target }: Event) => {
      if (!(target instanceof HTMLTextAreaElement) || !target.closest('.composer')) return
      clearTimeout(timer)
      timer = setTimeout(() => setDraft(target.value.trim()), PAUSE_MS)
    }
    addEventListener('input', onInput)
    return () => {
      clearTimeout(timer)
      removeEventListener('input', onInput)
    }
  }, [])
  return draft
}

/** What is found for a text after a pause; undefined before, and where there is no connection. */
function useHits(calls: HelpCalls, q: string, isTyping: boolean): ArticleHit[] | undefined {
  const [hits, setHits] = useState<ArticleHit[]>()
  useEffect(() => {
    if (q.length < MIN_LENGTH) return setHits(undefined)
    let isStale = false
    const timer = setTimeout(
      () =>
        void calls.search(q, isTyping).then((outcome) => {
          if (!isStale && outcome.kind === 'done') setHits(outcome.answer.data)
        }),
      isTyping ? 0 : PAUSE_MS,
    )
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [calls, q, isTyping])
  return q.length < MIN_LENGTH ? undefined : hits
}
