import { useTranslation } from 'react-i18next'
import type { Team } from '#contract/accounts/teams.ts'
import { userName } from '#contract/accounts/users.ts'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { useTeam } from '../accounts/account.ts'
import { DisbandDialog } from './DisbandDialog.tsx'

/** A team, with its members and how it assigns. */
export function TeamRow({ team, edit }: { team: Team; edit: () => void }) {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const disbanding = useDialog()
  const members = account.users.filter(({ id }) => team.members.some(({ user_id }) => user_id === id))
  const names = team.has_everybody ? t('teams.everybody') : members.map(userName).join(', ')
  return (
    <tr>
      <td>
        <Truncate text={team.name} />
      </td>
      <td data-label={t('teams.members')}>{names || '–'}</td>
      <td data-label={t('teams.assignment')}>{t(`teams.modes.${team.assignment}`)}</td>
      <td>
        {me.role === 'admin' && (
          <>
            <Button variant="text" size="small" aria-label={`${t('edit')} ${team.name}`} onClick={edit}>
              {t('edit')}
            </Button>
            <Button
              variant="text"
              size="small"
              aria-label={`${t('teams.disband')} ${team.name}`}
              onClick={() => disbanding.open()}
            >
              {t('teams.disband')}
            </Button>
            <DisbandDialog key={disbanding.turn} team={team} open={disbanding.isOpen} close={disbanding.close} />
          </>
        )}
      </td>
    </tr>
  )
}
