import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchPicture } from '../../../../platform/http/pictures.ts'
import styles from './EmailBody.module.css'
import { emailPage, readEmail } from './email.ts'

const MIN_HEIGHT = 40
const MAX_HEIGHT = 20_000
const MAX_PICTURES = 50
const NONE = new Map<string, string>()

/** An email in its original layout, in a sandboxed frame. Images and quoted messages are shown on request. */
export function EmailBody({ html }: { html: string }) {
  const { t } = useTranslation()
  const [pictures, setPictures] = useState(NONE)
  const [loading, setLoading] = useState(false)
  const [withQuote, showQuote] = useState(false)
  const email = useMemo(() => readEmail(html, { withQuote, pictures }), [html, withQuote, pictures])
  const page = useMemo(() => emailPage(email.html), [email.html])
  async function showPictures() {
    setLoading(true)
    const fetched = await Promise.all(
      email.pictures.slice(0, MAX_PICTURES).map(async (address) => [address, await fetchPicture(address)] as const),
    )
    setPictures(new Map(fetched.flatMap(([address, copy]) => (copy ? [[address, copy]] : []))))
    setLoading(false)
  }
  const isShown = pictures !== NONE
  return (
    <div className={styles.email}>
      <MeasuredFrame page={page} />
      {email.pictures.length > 0 && !isShown && (
        <button
          type="button"
          className={styles.more}
          onClick={showPictures}
          disabled={loading}
          title={t('email.pictures_why')}
        >
          {t(loading ? 'email.loading_pictures' : 'email.pictures')}
        </button>
      )}
      {email.hasQuote && (
        <button type="button" className={styles.more} aria-expanded={withQuote} onClick={() => showQuote(!withQuote)}>
          {t(withQuote ? 'email.hide_quote' : 'email.quote')}
        </button>
      )}
    </div>
  )
}

/**
 * The visible frame has no origin, so its height cannot be measured. A hidden frame with our origin, but without
 * scripts, renders the same page at the same width to be measured.
 */
function MeasuredFrame({ page }: { page: string }) {
  const { t } = useTranslation()
  const paper = useRef<HTMLDivElement>(null)
  const ruler = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(MIN_HEIGHT)
  const measure = useCallback(() => {
    const body = ruler.current?.contentDocument?.body
    if (body) setHeight(Math.min(Math.max(Math.ceil(body.scrollHeight), MIN_HEIGHT), MAX_HEIGHT))
  }, [])
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    if (paper.current) observer.observe(paper.current)
    return () => observer.disconnect()
  }, [measure])
  return (
    <div ref={paper} className={styles.paper}>
      <iframe
        ref={ruler}
        className={styles.ruler}
        title={t('email.title')}
        aria-hidden
        tabIndex={-1}
        sandbox="allow-same-origin"
        srcDoc={page}
        onLoad={measure}
      />
      <iframe
        className={styles.frame}
        title={t('email.title')}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        srcDoc={page}
        style={{ height }}
      />
    </div>
  )
}
