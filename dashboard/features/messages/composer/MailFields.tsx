import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { Draft } from '../drafts/drafts.ts'
import styles from './MailFields.module.css'

interface FieldsProps {
  mail: Draft['mail']
  /** The conversation's subject. */
  subject: string | null
  change: (mail: NonNullable<Draft['mail']>) => void
}

/** Copies and subject of a reply by email. Fields left empty stay as in the customer's last email. */
export function MailFields({ mail = {}, subject, change }: FieldsProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(Object.values(mail).some(Boolean))
  if (!isOpen) {
    return (
      <Button variant="text" size="small" onClick={() => setOpen(true)}>
        {t('composer.mail.show')}
      </Button>
    )
  }
  const field = (name: 'cc' | 'bcc' | 'subject', placeholder: string) => (
    <TextField
      label={t(`composer.mail.${name}`)}
      placeholder={placeholder}
      value={mail[name] ?? ''}
      onChange={(text) => change({ ...mail, [name]: text })}
    />
  )
  return (
    <div className={styles.fields}>
      {field('cc', t('composer.mail.as_before'))}
      {field('bcc', '')}
      {field('subject', subject ?? '')}
    </div>
  )
}
