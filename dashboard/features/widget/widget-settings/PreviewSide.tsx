import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { TestNote } from './TestNote.tsx'
import { testTokenQuery } from './test-token.ts'
import { WidgetPreview } from './WidgetPreview.tsx'
import styles from './WidgetSettings.module.css'

interface PreviewSideProps {
  appearance: Record<string, string | boolean>
  isFilled: boolean
  account_id: string
  inbox_id: string
  /** On phones, whether the preview is open. */
  isShown: boolean
}

/** The live preview, with switches for different situations. On phones it is a sheet above the fields. */
export function PreviewSide({ appearance, isShown, ...previewProps }: PreviewSideProps) {
  const { t } = useTranslation()
  const [refresh, setRefresh] = useState(0)
  const [isOutside, setOutside] = useState(appearance.isOutsideWorkingHours === true)
  const [isDark, setDark] = useState(false)
  const [isPhone, setPhone] = useState(false)
  const [isSample, setSample] = useState(false)
  const token = useQuery(testTokenQuery)
  const shown = useMemo(
    () => ({ ...appearance, isOutsideWorkingHours: isOutside, theme: isDark ? 'dark' : 'light' }),
    [appearance, isOutside, isDark],
  )
  return (
    <aside className={styles.side} data-shown={isShown || undefined} aria-label={t('widget.preview')}>
      <div className={styles.switches}>
        <Switch label={t('widget.outside')} checked={isOutside} onChange={setOutside} />
        <Switch label={t('widget.dark')} checked={isDark} onChange={setDark} />
        <Switch label={t('widget.sample')} checked={isSample} onChange={setSample} />
        <span className={styles.wideOnly}>
          <Switch label={t('widget.phone')} checked={isPhone} onChange={setPhone} />
        </span>
      </div>
      <div className={styles.stage} data-phone={isPhone || undefined}>
        {token.data ? (
          <WidgetPreview
            appearance={shown}
            refresh={refresh}
            isSample={isSample}
            test_token={token.data}
            {...previewProps}
          />
        ) : (
          <QueryView query={token} failed={t('test_conversations.failed')} />
        )}
      </div>
      <TestNote />
      <Button size="small" onClick={() => setRefresh((turn) => turn + 1)}>
        {t('widget.refresh')}
      </Button>
    </aside>
  )
}
