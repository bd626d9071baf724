import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MailRecipients } from '#contract/mail/message-mails.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { fileSize } from '../files/file-size.ts'
import { addressesOf, type ChosenMail, KINDS, type Kind, newAddresses } from './chosen.ts'
import { recipientsQuery } from './queries.ts'
import { RecipientFields } from './RecipientFields.tsx'
import styles from './RecipientsLine.module.css'

interface LineProps {
  conversation_id: string
  chosen: ChosenMail | undefined
  /** The conversation's subject. */
  subject: string | null
  /** Bytes of the draft's files, one by one. */
  sizes: readonly number[]
  change: (chosen: ChosenMail) => void
}

/** Above the composer: to whom the reply will go, on one line, which opens the fields to change that. */
export function RecipientsLine({ conversation_id, chosen: stored, subject, sizes, change }: LineProps) {
  const { t } = useTranslation()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [last, setLast] = useState(stored)
  if (last !== stored) {
    setLast(stored)
    // The reply was sent.
    if (!stored) setOpen(false)
  }
  const chosen = stored ?? {}
  const { data: usual } = useQuery(recipientsQuery(conversation_id))
  const hasNew = !!usual && newAddresses(chosen, usual).length > 0
  return (
    <div className={styles.recipients}>
      <button
        type="button"
        className={styles.line}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="unseen">{t('recipients.label')} </span>
        <span className={styles.summary} translate="no">
          {KINDS.map((kind) => (
            <Summary key={kind} kind={kind} addresses={addressesOf(kind, chosen, usual)} usual={usual} />
          ))}
        </span>
        {hasNew && <Pill tone="warning">{t('recipients.new')}</Pill>}
        <Icon name="chevron" size={16} className={styles.arrow} />
      </button>
      {usual && sum(sizes) > usual.attachable_bytes && (
        <p className={styles.links} role="status">
          {t('recipients.links', { size: fileSize(usual.attachable_bytes) })}
        </p>
      )}
      <div id={id} hidden={!isOpen}>
        {isOpen && <RecipientFields chosen={chosen} usual={usual} subject={subject} change={change} />}
      </div>
    </div>
  )
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}

interface SummaryProps {
  kind: Kind
  addresses: readonly string[]
  usual: MailRecipients | undefined
}

function Summary({ kind, addresses, usual }: SummaryProps) {
  const { t } = useTranslation()
  if (addresses.length === 0) {
    return kind === 'to' && usual ? <span className={styles.nobody}>{t('recipients.nobody')}</span> : null
  }
  return (
    <span>
      <span className={styles.kind}>{t(`recipients.${kind}`)}</span>{' '}
      {addresses.map((address) => nameWith(address, usual)).join(', ')}{' '}
    </span>
  )
}

/** `Nora <nora@example.org>`, or the address alone. */
function nameWith(address: string, usual: MailRecipients | undefined): string {
  const recipient = [...(usual?.to ?? []), ...(usual?.cc ?? [])].find((candidate) => candidate.address === address)
  return recipient?.name ? `${recipient.name} <${address}>` : address
}
