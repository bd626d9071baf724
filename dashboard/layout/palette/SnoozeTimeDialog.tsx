import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localMinute } from '../../features/conversations/actions/snooze-times.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import styles from './SnoozeTimeDialog.module.css'

const HOUR_MS = 3_600_000

/** Asks until when to snooze. */
export function SnoozeTimeDialog({ snooze, close }: { snooze: (until: string) => void; close: () => void }) {
  const { t } = useTranslation()
  const [value, setValue] = useState(() => localMinute(new Date(Date.now() + 24 * HOUR_MS)))
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The field's value is in the browser's time zone.
    const until = new Date(value)
    if (!(until.getTime() > Date.now())) return setError(t('snooze.in_the_past'))
    snooze(until.toISOString())
    close()
  }
  return (
    <FormDialog
      title={t('snooze.pick_title')}
      open
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('snooze.snooze')}
      saving={false}
      error={error}
      submit={submit}
      guard={null}
    >
      <label htmlFor="snooze-until">{t('snooze.until_label')}</label>
      <input
        id="snooze-until"
        className={styles.field}
        type="datetime-local"
        // biome-ignore lint/a11y/noAutofocus: the dialog has only this field
        autoFocus
        required
        min={localMinute(new Date())}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
    </FormDialog>
  )
}
