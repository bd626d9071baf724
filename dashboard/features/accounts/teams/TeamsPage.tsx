import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Team } from '#contract/accounts/teams.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Table } from '../../../ui/Table.tsx'
import { useTeam } from '../accounts/account.ts'
import { teamsQuery } from './queries.ts'
import { TeamDialog } from './TeamDialog.tsx'
import { TeamRow } from './TeamRow.tsx'

/** The teams, and how each gives conversations to its members. */
export function TeamsPage() {
  const { t } = useTranslation()
  const { me } = useTeam()
  const creating = useDialog()
  const editing = useDialog<Team>()
  const create = (
    <Button variant="primary" icon={<Icon name="plus" size={18} />} onClick={() => creating.open()}>
      {t('teams.new')}
    </Button>
  )
  return (
    <Page title={t('teams.title')} text={t('teams.text')} actions={me.role === 'admin' && create}>
      <Teams teams={useQuery(teamsQuery)} edit={editing.open} />
      <TeamDialog key={`new ${creating.turn}`} open={creating.isOpen} close={creating.close} />
      {editing.item && (
        <TeamDialog key={editing.turn} team={editing.item} open={editing.isOpen} close={editing.close} />
      )}
    </Page>
  )
}

function Teams({ teams, edit }: { teams: UseQueryResult<Team[]>; edit: (team: Team) => void }) {
  const { t } = useTranslation()
  if (!teams.data) return <QueryView query={teams} failed={t('teams.failed')} />
  if (teams.data.length === 0) return <EmptyState drawing="talk" title={t('teams.none')} text={t('teams.none_text')} />
  const columns = [t('teams.name'), t('teams.members'), t('teams.assignment'), t('teams.actions')] as const
  return (
    <Table label={t('teams.title')} columns={columns}>
      <Each name="team" items={teams.data} keyOf={(team) => team.id}>
        {(team) => <TeamRow team={team} edit={() => edit(team)} />}
      </Each>
    </Table>
  )
}
