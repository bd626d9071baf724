import { useTranslation } from 'react-i18next'
import type { User } from '#contract/accounts/users.ts'
import { mayInviteByEmail } from '../../../platform/environment.ts'
import { Block } from '../../../ui/EditBlock.tsx'
import { Page } from '../../../ui/Page.tsx'
import { useTeam } from '../accounts/account.ts'
import { InviteByEmail } from './InviteByEmail.tsx'
import { InviteLink } from './InviteLink.tsx'
import { PendingInvitations } from './PendingInvitations.tsx'
import { TeamTable } from './TeamTable.tsx'

/** The team. */
export function TeamPage() {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const isAdmin = me.role === 'admin'
  const users = [...account.users].sort(byAge)
  const disabled = users.filter((user) => user.disabled_at)
  return (
    <Page title={t('team.title')} text={t('team.text', { company: account.company_name })}>
      {isAdmin && (
        <Block title={t('team.invite')} text={t('team.invite_text')}>
          <InviteLink />
          {mayInviteByEmail() && <InviteByEmail />}
          <PendingInvitations />
        </Block>
      )}
      <Block wide title={t('team.table')}>
        <TeamTable label={t('team.table')} users={users.filter((user) => !user.disabled_at)} />
      </Block>
      {isAdmin && disabled.length > 0 && (
        <Block wide title={t('team.disabled')} text={t('team.disabled_text')}>
          <TeamTable label={t('team.disabled')} users={disabled} />
        </Block>
      )}
    </Page>
  )
}

function byAge(a: User, b: User): number {
  return Date.parse(a.created_at) - Date.parse(b.created_at) || a.id - b.id
}
