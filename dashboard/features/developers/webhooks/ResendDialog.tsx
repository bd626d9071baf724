import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { notify } from '../../../ui/notices.ts'
import { resendSince } from './queries.ts'
import styles from './Webhooks.module.css'

interface DialogProps {
  id: string
  open: boolean
  close: () => void
}

/** Asks from when on to resend deliveries. */
export function ResendDialog({ id, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const field = useId()
  const [since, setSince] = useState(() => localTime(new Date(Date.now() - 3_600_000)))
  const saving = useSaving(async () => {
    const count = await resendSince(client, id, new Date(since).toISOString())
    notify({ kind: 'success', title: t('webhooks.resent_count', { count }) })
    close()
  })
  return (
    <FormDialog
      title={t('webhooks.resend_since')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('webhooks.send')}
      {...saving}
    >
      <label htmlFor={field}>{t('webhooks.since_label')}</label>
      <input
        id={field}
        type="datetime-local"
        required
        value={since}
        aria-describedby={`${field}-hint`}
        onChange={({ target }) => target.value && setSince(target.value)}
      />
      <p id={`${field}-hint`} className={styles.quiet}>
        {t('webhooks.since_hint')}
      </p>
    </FormDialog>
  )
}

/** A time in the format of `datetime-local` fields, in the browser's time zone. */
function localTime(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
