import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VisitedSession } from '#contract/browser-sessions.ts'
import { Button } from '../../ui/Button.tsx'
import { Pill } from '../../ui/Pill.tsx'
import styles from './BrowserSessions.module.css'
import { newestSessionQuery } from './queries.ts'

const ASK_EVERY_MS = 2_000
const GIVE_UP_MS = 10 * 60_000

/** The page that was last recorded; and, when asked, waits for one. */
export function SetupCheck() {
  const { t } = useTranslation()
  const [waiting, setWaiting] = useState<{ since: string | null }>()
  const [isFound, setFound] = useState(false)
  const { data: newest } = useQuery({ ...newestSessionQuery, refetchInterval: waiting ? ASK_EVERY_MS : false })
  if (waiting && newest && newest.updated_at !== waiting.since) {
    setWaiting(undefined)
    setFound(true)
  }
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => setWaiting(undefined), GIVE_UP_MS)
    return () => clearTimeout(timer)
  }, [waiting])
  function start() {
    setFound(false)
    setWaiting({ since: newest?.updated_at ?? null })
  }
  return (
    <div className={styles.tools}>
      <p role="status">
        {waiting ? (
          t('storytime.check_waiting')
        ) : newest ? (
          <>
            {isFound && <Pill tone="success">{t('storytime.found')}</Pill>}{' '}
            {t('storytime.last_page', { page: pageOf(newest) })}
          </>
        ) : (
          t('storytime.nothing_yet')
        )}
      </p>
      {waiting ? (
        <Button onClick={() => setWaiting(undefined)}>{t('cancel')}</Button>
      ) : (
        <Button onClick={start}>{t('storytime.check')}</Button>
      )}
    </div>
  )
}

function pageOf({ metadata }: VisitedSession): string {
  const { host, pathname } = metadata ?? {}
  return [host, pathname].filter((part) => typeof part === 'string').join('')
}
