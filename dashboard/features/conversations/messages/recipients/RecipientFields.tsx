import { useTranslation } from 'react-i18next'
import type { MailRecipients } from '#contract/mail/message-mails.ts'
import { Check } from '../../../../ui/Check.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { AddressField } from './AddressField.tsx'
import { addressesOf, type ChosenMail, KINDS, newAddresses } from './chosen.ts'
import styles from './RecipientsLine.module.css'

interface FieldsProps {
  chosen: ChosenMail
  usual: MailRecipients | undefined
  /** The conversation's subject. */
  subject: string | null
  change: (chosen: ChosenMail) => void
}

/** Recipients, subject and quotation of a reply by mail. */
export function RecipientFields({ chosen, usual, subject, change }: FieldsProps) {
  const { t } = useTranslation()
  const added = usual ? newAddresses(chosen, usual) : []
  return (
    <div className={styles.fields}>
      {KINDS.map((kind) => (
        <AddressField
          key={kind}
          label={t(`recipients.${kind}`)}
          addresses={addressesOf(kind, chosen, usual)}
          newAddresses={added}
          change={(addresses) => change({ ...chosen, [kind]: addresses })}
        />
      ))}
      <div className={styles.field}>
        <span className={styles.label} aria-hidden="true">
          {t('composer.mail.subject')}
        </span>
        <TextField
          label={t('composer.mail.subject')}
          hideLabel
          placeholder={subject ?? ''}
          value={chosen.subject ?? ''}
          onChange={(text) => change({ ...chosen, subject: text })}
        />
      </div>
      {added.length > 0 && (
        <Check
          label={t('recipients.quote')}
          hint={t('recipients.quote_hint')}
          checked={chosen.quote === true}
          onChange={(quote) => change({ ...chosen, quote })}
        />
      )}
    </div>
  )
}
