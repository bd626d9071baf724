import type { TFunction } from 'i18next'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { invitations } from '#contract/invitations.ts'
import type { User } from '#contract/users.ts'
import { cardProvider, isBillingEnabled, mayInviteByEmail } from '../../platform/environment.ts'
import { call } from '../../platform/http/api.ts'
import { GENERAL_ERROR, logError } from '../../platform/http/errors.ts'
import { ApiError } from '../../platform/http/request.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyField } from '../../ui/CopyField.tsx'
import { copyText } from '../../ui/clipboard.ts'
import { Block } from '../../ui/EditBlock.tsx'
import { notify } from '../../ui/notices.ts'
import { Page } from '../../ui/Page.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useTeam } from '../accounts/account.ts'
import { useCopied } from '../accounts/saving.ts'
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
      {isAdmin && <InviteByLink />}
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

function InviteByLink() {
  const { t } = useTranslation()
  const copied = useCopied()
  const [url, setUrl] = useState('')
  const [making, setMaking] = useState(false)
  async function make() {
    setMaking(true)
    try {
      const { data } = await call(invitations.create, {})
      const made = `${location.origin}/register/${data.token}`
      setUrl(made)
      copied(await copyText(made))
    } catch (error) {
      tellRefusal(t, error)
    }
    setMaking(false)
  }
  return (
    <Block title={t('team.invite')} text={t('team.invite_text')}>
      <div>
        <Button variant="primary" loading={making} onClick={make}>
          {t('team.make_link')}
        </Button>
      </div>
      {url && <CopyField label={t('team.link')} value={url} copyLabel={t('copy')} copied={copied} />}
    </Block>
  )
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

/** Where plans are sold, most often the plan has no seat left, and then the notice says where to get one. */
function tellRefusal(t: TFunction, error: unknown) {
  logError('Invitation not made', error)
  const said = error instanceof ApiError && error.status !== 0 ? error.message : ''
  const isPlan = !!said && isBillingEnabled()
  notify({
    kind: 'error',
    key: 'invitation',
    title: t(isPlan ? 'team.no_seat' : 'team.not_invited'),
    text: said || (error instanceof Error ? error.message : GENERAL_ERROR),
    seconds: 10,
    ...(isPlan && {
      action: { label: t('team.upgrade'), run: () => location.assign(cardProvider() ? '/billing' : '/pricing') },
    }),
  })
}
