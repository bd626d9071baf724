import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { futureTime, localMinute } from '../../features/conversations/actions/snooze-times.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'

const HOUR_MS = 3_600_000

/** Asks until when to snooze. */
export function SnoozeTimeDialog({ snooze, close }: { snooze: (until: string) => void; close: () => void }) {
  const { t } = useTranslation()
  const [value, setValue] = useState(() => localMinute(new Date(Date.now() + 24 * HOUR_MS)))
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const until = futureTime(value)
    if (!until) return setError(t('snooze.in_the_past'))
    snooze(until)
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
      <TextField
        type="datetime-local"
        label={t('snooze.until_label')}
        autoFocus
        required
        min={localMinute(new Date())}
        value={value}
        onChange={setValue}
      />
    </FormDialog>
  )
}
