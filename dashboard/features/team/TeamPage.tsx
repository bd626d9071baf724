import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { invitations } from '#contract/invitations.ts'
import type { User } from '#contract/users.ts'
import { mayInviteByEmail } from '../../platform/environment.ts'
import { call } from '../../platform/http/api.ts'
import { Button } from '../../ui/Button.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { notify } from '../../ui/notices.ts'
import { Page } from '../../ui/Page.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useTeam } from '../accounts/account.ts'
import { InviteLink } from './InviteLink.tsx'
import { tellRefusal } from './refused-invitation.ts'
import { TeamTable } from './TeamTable.tsx'

/** Everybody who answers customers. */
export function TeamPage() {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const isAdmin = me.role === 'admin'
  const users = account.users.toSorted(byAge)
  const disabled = users.filter((user) => user.disabled_at)
  return (
    <Page title={t('team.title')} text={t('team.text', { company: account.company_name })}>
      {isAdmin && (
        <Block title={t('team.invite')} text={t('team.invite_text')}>
          <InviteLink />
        </Block>
      )}
      <Block wide title={t('team.table')}>
        <TeamTable label={t('team.table')} users={users.filter((user) => !user.disabled_at)} />
        {isAdmin && mayInviteByEmail() && <InviteByEmail />}
      </Block>
      {isAdmin && disabled.length > 0 && (
        <Block wide title={t('team.disabled')} text={t('team.disabled_text')}>
          <TeamTable label={t('team.disabled')} users={disabled} />
        </Block>
      )}
    </Page>
  )
}

function byAge(one: User, other: User): number {
  return Date.parse(one.created_at) - Date.parse(other.created_at) || one.id - other.id
}

function InviteByEmail() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [email, setEmail] = useState('')
  const [sending, setSending] = useState(false)
  async function send(event: FormEvent) {
    event.preventDefault()
    setSending(true)
    try {
      await call(invitations.email, { body: { to_address: email } })
      notify({ kind: 'success', title: t('team.invited', { email }), seconds: 10 })
      setEmail('')
      setOpen(false)
    } catch (error) {
      tellRefusal(t, error)
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
    <form onSubmit={send} style={{ display: 'flex', gap: 'var(--space-2)' }}>
      <TextField
        hideLabel
        type="email"
        required
        autoFocus
        label={t('team.email')}
        placeholder="name@example.com"
        value={email}
        onChange={setEmail}
      />
      <Button variant="primary" type="submit" loading={sending}>
        {t('team.send_invite')}
      </Button>
    </form>
  )
}
