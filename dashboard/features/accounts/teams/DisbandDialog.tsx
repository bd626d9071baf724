import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Team } from '#contract/accounts/teams.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { countOfTeam, disbandTeam } from './saving.ts'

/** Asks before a team is disbanded, and says how many conversations lose it. */
export function DisbandDialog({ team, open, close }: { team: Team; open: boolean; close: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: count } = useQuery({
    queryKey: ['teams', team.id, 'count'],
    queryFn: () => countOfTeam(team.id),
    enabled: open,
    staleTime: 0,
  })
  const disbanding = useSaving(async () => {
    await disbandTeam(client, team.id)
    close()
  })
  return (
    <FormDialog
      title={t('teams.confirm', { name: team.name })}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('teams.disband')}
      danger
      {...disbanding}
    >
      <p>{count === undefined ? t('teams.kept') : t('teams.kept_count', { count })}</p>
    </FormDialog>
  )
}
