import { useTranslation } from 'react-i18next'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'
import { Page } from '../../../ui/Page.tsx'
import { TableSkeleton } from '../../../ui/Table.tsx'

interface SettingsPlaceholderProps {
  /** Why loading failed. */
  failure?: string
  retry?: () => void
}

/** Shown while the settings of a chat window load, or if that failed. */
export function SettingsPlaceholder({ failure, retry }: SettingsPlaceholderProps) {
  const { t } = useTranslation()
  if (failure === undefined) {
    return (
      <Page title={t('widget.title')}>
        <TableSkeleton label={t('loading')} />
      </Page>
    )
  }
  return <LoadFailed isPage title={t('inboxes.failed')} text={failure} retryLabel={t('retry')} retry={retry} />
}
