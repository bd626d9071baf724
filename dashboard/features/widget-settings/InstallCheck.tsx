import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inboxes } from '#contract/inboxes.ts'
import { useCall } from '../../platform/session/widget-page-session.ts'
import { Button } from '../../ui/Button.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { installationKey } from '../inboxes/installation.ts'
import styles from './WidgetSettings.module.css'

const ASK_EVERY_MS = 2_000
const GIVE_UP_MS = 10 * 60_000

/** Where the widget was last opened; and, when asked, waits for it to be opened once more. */
export function InstallCheck({ inbox_id }: { inbox_id: string }) {
  const { t } = useTranslation()
  const ask = useCall()
  const [waiting, setWaiting] = useState<{ since: string | null }>()
  const [isFound, setFound] = useState(false)
  const { data: seen } = useQuery({
    queryKey: installationKey(inbox_id),
    queryFn: async ({ signal }) => (await ask(inboxes.installation, { params: { id: inbox_id }, signal })).data,
    refetchOnMount: 'always',
    refetchInterval: waiting ? ASK_EVERY_MS : false,
  })
  const isNews = !!waiting && !!seen?.last_seen_at && seen.last_seen_at !== waiting.since
  if (isNews) {
    setWaiting(undefined)
    setFound(true)
  }
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => setWaiting(undefined), GIVE_UP_MS)
    return () => clearTimeout(timer)
  }, [waiting])
  const start = () => {
    setFound(false)
    setWaiting({ since: seen?.last_seen_at ?? null })
  }
  return (
    <div className={styles.check}>
      <p role="status">
        {waiting ? (
          t('widget.check_waiting')
        ) : seen?.last_seen_at ? (
          <>
            {isFound && <Pill tone="success">{t('widget.check_found')}</Pill>}{' '}
            {t('widget.installed_on', { host: `${seen.host ?? ''}${seen.pathname ?? ''}` })}
          </>
        ) : (
          t('widget.not_installed')
        )}
      </p>
      {waiting ? (
        <Button onClick={() => setWaiting(undefined)}>{t('cancel')}</Button>
      ) : (
        <Button onClick={start}>{t('widget.check')}</Button>
      )}
    </div>
  )
}
