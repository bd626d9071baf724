import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../platform/http/request.ts'
import { Button } from '../../../ui/Button.tsx'
import { createFormGuard } from '../../../ui/form-guard.ts'
import { notify } from '../../../ui/notices.ts'
import { TextField } from '../../../ui/TextField.tsx'
import styles from './InviteByEmail.module.css'
import { inviteByEmail } from './queries.ts'
import { notifyRefused } from './refused-invitation.ts'

/** Sends an invitation to one colleague. */
export function InviteByEmail() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [guard] = useState(createFormGuard)
  const [isOpen, setOpen] = useState(false)
  const [email, setEmail] = useState('')
  const [wrong, setWrong] = useState<FieldProblem>()
  const [sending, setSending] = useState(false)
  async function send(event: FormEvent) {
    event.preventDefault()
    setSending(true)
    try {
      await inviteByEmail(client, email)
      notify({ kind: 'success', title: t('team.invited', { email }), seconds: 10 })
      setEmail('')
      setOpen(false)
    } catch (error) {
      const about = fieldErrorOf(error)
      setWrong(about)
      if (about) field.current?.focus()
      else notifyRefused(t, error)
    }
    setSending(false)
  }
  if (!isOpen) {
    return (
      <div>
        <Button onClick={() => setOpen(true)}>{t('team.invite_teammate')}</Button>
      </div>
    )
  }
  return (
    <form ref={guard.watch} onSubmit={send} noValidate className={styles.form}>
      <TextField
        ref={field}
        hideLabel
        type="email"
        autoFocus
        label={t('team.email')}
        placeholder="name@example.com"
        value={email}
        onChange={(value) => {
          setEmail(value)
          setWrong(undefined)
        }}
        error={wrong && t(`team.wrong.${wrong}`)}
      />
      <Button variant="primary" type="submit" loading={sending}>
        {t('team.send_invite')}
      </Button>
    </form>
  )
}

type FieldProblem = 'already_member' | 'email_taken' | 'no_address'

/** Errors of the address itself are shown at its field. */
function fieldErrorOf(error: unknown): FieldProblem | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.reason === 'already_member' || error.reason === 'email_taken') return error.reason
  return error.status === 422 ? 'no_address' : undefined
}
