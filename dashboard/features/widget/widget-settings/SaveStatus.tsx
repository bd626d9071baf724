import { useTranslation } from 'react-i18next'
import type { SaveState } from '../../../platform/forms/autosave.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import styles from './WidgetSettings.module.css'

/** Shows the state of autosaving. */
export function SaveStatus({ state, retry }: { state: SaveState; retry: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={styles.icon} role="status" data-state={state.is}>
      {state.is === 'saving' && t('widget.saving')}
      {state.is === 'saved' && (
        <>
          <Icon name="check" size={16} />
          {t('widget.saved')}
        </>
      )}
      {state.is === 'failed' && (
        <>
          <span>
            <b>{t('widget.not_saved')}</b> {errorText(state.error)}
          </span>
          <Button size="small" onClick={retry}>
            {t('retry')}
          </Button>
        </>
      )}
    </div>
  )
}
