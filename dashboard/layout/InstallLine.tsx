import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { dismissInstalling, install, useInstalling } from '../platform/installing.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './InstallLine.module.css'
import { isReading } from './navigation.ts'

/** One line below the screen that suggests to install the dashboard as an app, until it is closed. */
export function InstallLine() {
  const { t } = useTranslation()
  const installing = useInstalling()
  const { pathname } = useLocation()
  if (isReading(pathname)) return null
  return (
    <aside className={styles.line} aria-label={t('install.title')}>
      <span className={styles.text}>{installing === 'share' ? t('install.share') : t('install.suggestion')}</span>
      {installing === 'button' && (
        <Button variant="text" size="small" onClick={install}>
          {t('install.button')}
        </Button>
      )}
      <IconButton icon="close" label={t('close')} onClick={dismissInstalling} />
    </aside>
  )
}
