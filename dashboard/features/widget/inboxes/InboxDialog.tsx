import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import { RATING_REQUEST_HOURS } from '#contract/conversations/rating-requests.ts'
import { senderName } from '#contract/widget/inboxes.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Select } from '../../../ui/Select.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import type { InboxText } from './queries.ts'

const NEVER = 0

interface DialogProps {
  title: string
  /** The initial values, restored after saving. */
  start: InboxText
  save: (typed: InboxText) => Promise<void>
  open: boolean
  close: () => void
}

/** Name and description of an inbox, and how its mails are sent. The server validates them, and its message is shown below the form. */
export function InboxDialog({ title, start, save, open, close }: DialogProps) {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const [typed, setTyped] = useState(start)
  const agent = userName(account.users.find(({ id }) => id === me.id))
  const sender = senderName(typed, { agent, company: account.company_name })
  const saving = useSaving(async () => {
    await save(typed)
    setTyped(start)
  })
  return (
    <FormDialog title={title} open={open} close={close} cancelLabel={t('cancel')} saveLabel={t('save')} {...saving}>
      <TextField
        label={t('inboxes.name')}
        autoFocus
        value={typed.name}
        onChange={(name) => setTyped({ ...typed, name })}
      />
      <TextField
        label={t('inboxes.description')}
        value={typed.description}
        onChange={(description) => setTyped({ ...typed, description })}
      />
      <TextField
        label={t('inboxes.sender_name')}
        hint={t('inboxes.sender_hint', { example: sender })}
        placeholder="{agent} – {company}"
        value={typed.sender_name}
        onChange={(sender_name) => setTyped({ ...typed, sender_name })}
      />
      <TextArea
        label={t('inboxes.signature')}
        hint={t('inboxes.signature_hint')}
        rows={3}
        value={typed.mail_signature}
        onChange={(mail_signature) => setTyped({ ...typed, mail_signature })}
      />
      <Select
        label={t('inboxes.rating_mail')}
        hint={t('inboxes.rating_mail_hint')}
        options={[NEVER, ...RATING_REQUEST_HOURS].map((hours) => ({
          value: hours,
          label: hours === NEVER ? t('inboxes.rating_mail_never') : t('inboxes.rating_mail_after', { count: hours }),
        }))}
        value={typed.rating_mail_hours ?? NEVER}
        onChange={(hours) => setTyped({ ...typed, rating_mail_hours: hours === NEVER ? null : hours })}
      />
    </FormDialog>
  )
}
