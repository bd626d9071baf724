import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Switch } from '../../../ui/Switch.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { availabilityQuery, isAway } from '../../accounts/availability/queries.ts'
import { changeAway } from './away.ts'

/** Whether the signed-in user is away. */
export function AwaySwitch() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { me } = useTeam()
  const { data } = useQuery(availabilityQuery)
  return (
    <Switch
      label={t('assignments.away')}
      hint={t('assignments.away_hint')}
      checked={isAway(data, me.id)}
      onChange={(isLeaving) => void changeAway(client, isLeaving)}
    />
  )
}
