import { useEffect, useRef, useState } from 'react'
import type { PublicArticle } from '#contract/help/public-articles.ts'
import './Article.css'
import type { Labels } from '../appearance/labels.ts'
import { BackIcon } from '../icons.tsx'
import type { HelpCalls } from './help-calls.ts'
import type { HelpLabels } from './help-labels.ts'

interface Props {
  id: string
  calls: HelpCalls
  texts: HelpLabels
  labels: Labels
  close: () => void
}

/** An article over the whole window. Escape and Back close it, and the focus returns to where it was. */
export function Article({ id, calls, texts, labels, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  /** Where the focus goes when it is closed. */
  const returnTo = useRef<HTMLElement | null>(null)
  const [article, setArticle] = useState<PublicArticle>()
  const [tries, setTries] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    const { current } = dialog
    returnTo.current = document.activeElement as HTMLElement | null
    current?.showModal()
    return () => {
      current?.close()
      returnTo.current?.focus()
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try loads it again
  useEffect(() => {
    let isStale = false
    setFailed(false)
    void calls.get(id).then((outcome) => {
      if (isStale) return
      if (outcome.kind === 'done') setArticle(outcome.answer.data)
      else setFailed(true)
    })
    return () => {
      isStale = true
    }
  }, [calls, id, tries])
  const write = () => {
    returnTo.current = document.querySelector<HTMLElement>('.composer textarea')
    close()
  }
  return (
    <dialog
      ref={dialog}
      className="article"
      aria-label={article?.title ?? texts.articles}
      onClose={close}
      // Escape closes only the article, not the chat.
      onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
    >
      <div className="article-bar">
        <button
          type="button"
          className="icon-button turned"
          aria-label={labels.back}
          title={labels.back}
          onClick={close}
        >
          <BackIcon />
        </button>
        {article && (
          <a className="link-button" href={article.url} target="_blank" rel="noopener">
            {texts.open}
          </a>
        )}
      </div>
      <div className="article-page" aria-busy={!article && !hasFailed}>
        {hasFailed && (
          <p role="alert">
            {texts.failed}{' '}
            <button type="button" className="link-button" onClick={() => setTries(tries + 1)}>
              {labels.retry}
            </button>
          </p>
        )}
        {article && (
          <>
            <article lang={article.language} dir={article.direction} translate="yes">
              <h2>{article.title}</h2>
              <ArticleText html={article.html} />
            </article>
            <Vote article={article} calls={calls} texts={texts} />
          </>
        )}
        <button type="button" className="main-button" onClick={write}>
          {texts.write}
        </button>
      </div>
    </dialog>
  )
}

/** The server's own rendering, which is limited to safe elements. */
function ArticleText({ html }: { html: string }) {
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = text
    if (!current) return
    current.innerHTML = html
    current.addEventListener('click', openLink)
    return () => current.removeEventListener('click', openLink)
  }, [html])
  return <div ref={text} className="article-text" />
}

/** Links leave the chat where it is: they open a tab, or show a part of the article. */
function openLink(event: Event) {
  const link = (event.target as Element).closest('a')
  const href = link?.getAttribute('href')
  if (!link || !href) return
  if (!href.startsWith('#')) {
    link.target = '_blank'
    return
  }
  event.preventDefault()
  document.getElementById(decodeURIComponent(href.slice(1)))?.scrollIntoView()
}

function Vote({ article, calls, texts }: { article: PublicArticle } & Pick<Props, 'calls' | 'texts'>) {
  const [hasVoted, setVoted] = useState(false)
  const vote = (isHelpful: boolean) => {
    setVoted(true)
    void calls.vote(article, isHelpful)
  }
  return (
    <div className="article-vote" role="status">
      {hasVoted ? (
        texts.thanks
      ) : (
        <>
          <span>{texts.helpful}</span>
          <button type="button" className="quiet-button" onClick={() => vote(true)}>
            {texts.yes}
          </button>
          <button type="button" className="quiet-button" onClick={() => vote(false)}>
            {texts.no}
          </button>
        </>
      )}
    </div>
  )
}
