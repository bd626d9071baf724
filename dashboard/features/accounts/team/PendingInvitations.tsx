import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { UserInvitation } from '#contract/accounts/invitations.ts'
import { mayInviteByEmail } from '../../../platform/environment.ts'
import { errorText, showError } from '../../../platform/http/errors.ts'
import { messageTime } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Each } from '../../../ui/Each.tsx'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'
import { notify } from '../../../ui/notices.ts'
import { Table } from '../../../ui/Table.tsx'
import { invitationsQuery, resendInvitation, revokeInvitation } from './queries.ts'

/** Open invitations, to resend or revoke. */
export function PendingInvitations() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(invitationsQuery)
  if (error && !data) {
    return (
      <LoadFailed
        title={t('team.invitations_failed')}
        text={errorText(error)}
        retryLabel={t('retry')}
        retry={() => refetch()}
      />
    )
  }
  if (!data?.length) return null
  return (
    <Table label={t('team.invitations')} columns={[t('team.invited_who'), t('team.until'), t('team.actions')]}>
      <Each name="invitation" items={data} keyOf={(invitation) => invitation.id}>
        {(invitation) => <InvitationRow invitation={invitation} />}
      </Each>
    </Table>
  )
}

function InvitationRow({ invitation: { id, email, expires_at, created_at } }: { invitation: UserInvitation }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  // Links without an address are told apart by their creation time.
  const name = email ?? t('team.link_of', { time: messageTime(created_at) })
  const resend = () =>
    resendInvitation(client, id)
      .then(() => notify({ kind: 'success', title: t('team.invited', { email }), seconds: 10 }))
      .catch((refusal) => showError('Invitation not mailed', refusal))
  const revoke = () => revokeInvitation(client, id).catch((refusal) => showError('Invitation not revoked', refusal))
  return (
    <tr>
      <td>{name}</td>
      <td data-label={t('team.until')}>{messageTime(expires_at)}</td>
      <td>
        {email && mayInviteByEmail() && (
          <Button variant="text" onClick={resend}>
            {t('team.resend')}
            <span className="unseen"> {name}</span>
          </Button>
        )}
        <Confirm question={t('team.confirm_revoke', { name })} yes={t('yes')} no={t('no')} run={revoke}>
          <Button variant="text" danger>
            {t('team.revoke')}
            <span className="unseen"> {name}</span>
          </Button>
        </Confirm>
      </td>
    </tr>
  )
}
