import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { MAILBOXES } from '#contract/connections/kinds.ts'
import { type Customer, displayName } from '#contract/customers/customers.ts'
import { canMail } from '../../../../platform/environment.ts'
import { useSaving } from '../../../../platform/forms/useSaving.ts'
import { newId } from '../../../../platform/new-id.ts'
import { Choice } from '../../../../ui/Choice.tsx'
import { FormDialog } from '../../../../ui/FormDialog.tsx'
import { notify } from '../../../../ui/notices.ts'
import { TextArea } from '../../../../ui/TextArea.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { useTeam } from '../../../accounts/accounts/account.ts'
import { integrationsQuery } from '../../../connections/authorizations/queries.ts'
import { inboxesQuery } from '../../../widget/inboxes/queries.ts'
import { pathOfView } from '../views.ts'
import styles from './StartConversation.module.css'
import { startConversation } from './start-conversation.ts'

interface DialogProps {
  customer: Pick<Customer, 'id' | 'name' | 'email' | 'phone' | 'nickname'>
  /** The inbox; the primary one by default. */
  inbox_id?: string
  open: boolean
  close: () => void
}

/** The ids are created with the form, so that a retry after a lost response starts no second conversation. */
const blank = () => ({ id: newId(), message_id: newId(), source: 'chat' as 'chat' | 'email', subject: '', body: '' })

/** Writes the first message to a customer. */
export function StartConversationDialog({ customer, inbox_id, open, close }: DialogProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(blank)
  const saving = useSaving(async () => {
    const { id, message_id, source, subject, body } = draft
    const started = await startConversation({
      id,
      customer_id: customer.id,
      source,
      ...(inbox_id && { inbox_id }),
      ...(source === 'email' && { subject }),
      message: { id: message_id, body: body.trim(), sent_at: new Date().toISOString() },
    })
    setDraft(blank())
    close()
    const show = () => navigate(pathOfView({ bucket: 'all' }, started))
    notify({
      kind: 'success',
      title: t('starting.sent'),
      action: { label: t('starting.view'), run: show },
      seconds: 10,
    })
  })
  return (
    <FormDialog
      title={t('starting.title')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('starting.send')}
      {...saving}
    >
      <p className={styles.to} dir="auto">
        {displayName(customer)}
      </p>
      <SourceChoice
        customer={customer}
        inbox_id={inbox_id}
        value={draft.source}
        onChange={(source) => setDraft({ ...draft, source })}
      />
      {draft.source === 'email' && (
        <TextField
          label={t('starting.subject')}
          value={draft.subject}
          onChange={(subject) => setDraft({ ...draft, subject })}
        />
      )}
      <TextArea
        autoFocus
        rows={4}
        label={t('starting.message')}
        value={draft.body}
        onChange={(body) => setDraft({ ...draft, body })}
      />
    </FormDialog>
  )
}

interface SourceProps {
  customer: Pick<Customer, 'email'>
  inbox_id: string | undefined
  value: 'chat' | 'email'
  onChange: (source: 'chat' | 'email') => void
}

function SourceChoice({ customer, inbox_id, value, onChange }: SourceProps) {
  const { t } = useTranslation()
  const reason = useEmailBlocker(customer, inbox_id)
  const why = reason && t(`starting.${reason}`)
  return (
    <>
      <Choice
        legend={t('starting.source')}
        options={[
          { value: 'chat', label: t('starting.chat') },
          { value: 'email', label: t('starting.email'), disabled: !!reason, title: why },
        ]}
        value={value}
        onChange={onChange}
      />
      {why && <p className={styles.hint}>{why}</p>}
    </>
  )
}

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/**
 * Why no email can be sent to a customer from an inbox (the primary one by default), or undefined if one can: by the
 * installation's mail server, the inbox's mailbox, or the sender's own.
 */
function useEmailBlocker(
  { email }: Pick<Customer, 'email'>,
  inbox_id: string | undefined,
): 'no_way_out' | 'no_address' | undefined {
  const { me } = useTeam()
  const { data: connected } = useQuery({ ...integrationsQuery, enabled: !canMail() })
  const { data: inboxes } = useQuery(inboxesQuery)
  const inbox = inbox_id ?? inboxes?.find(({ is_primary }) => is_primary)?.id
  const hasMailbox = connected?.data.some(
    ({ integration, inbox_id: own, user_id }) =>
      MAILBOXES.includes(integration) && (own === null ? user_id === me.id : own === inbox),
  )
  if (!canMail() && !hasMailbox) return 'no_way_out'
  return email && ADDRESS.test(email) ? undefined : 'no_address'
}
