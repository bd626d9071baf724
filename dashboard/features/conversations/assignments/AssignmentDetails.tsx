import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import type { Assignment } from '#contract/conversations/assignments.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { messageTime } from '../../../platform/times.ts'
import { Select } from '../../../ui/Select.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { teamsQuery } from '../../accounts/teams/queries.ts'
import { useConversationActions } from '../conversations/conversation-actions.ts'
import styles from './AssignmentDetails.module.css'
import { assignmentsQuery } from './queries.ts'

const NO_TEAM = ''

/** The team of a conversation, and why it is whose it is. Nothing where there are neither teams nor entries. */
export function AssignmentDetails({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const { data: teams = [] } = useQuery(teamsQuery)
  const { data: entries = [] } = useQuery(assignmentsQuery(conversation.id))
  const { moveToTeam } = useConversationActions()
  const describe = useDescription()
  const [newest] = entries
  const isCurrent = newest?.user_id === conversation.assignee_id
  if (teams.length === 0 && !isCurrent) return null
  const options = [{ value: NO_TEAM, label: t('assignments.no_team') }, ...teams.map(optionOf)]
  return (
    <div className={styles.details}>
      {teams.length > 0 && (
        <Select
          label={t('assignments.team')}
          options={options}
          value={conversation.team_id ?? NO_TEAM}
          onChange={(team_id) => void moveToTeam([conversation], team_id || null)}
        />
      )}
      {newest && isCurrent && (
        <p className={styles.reason} title={messageTime(newest.created_at)}>
          {describe(newest)}
        </p>
      )}
    </div>
  )
}

function optionOf({ id, name }: { id: string; name: string }) {
  return { value: id, label: name }
}

/** Says in a sentence who was given a conversation, and why. */
function useDescription() {
  const { t } = useTranslation()
  const { account } = useTeam()
  const nameOf = (id: number | null) => {
    const user = account.users.find((member) => member.id === id)
    return user ? userName(user) : t('assignments.somebody')
  }
  return ({ reason, user_id, from_user_id, by_user_id, open_count, open_limit }: Assignment): string => {
    if (reason === 'in_turn' || reason === 'least_open') {
      const numbers = { name: nameOf(user_id), open: open_count, limit: open_limit }
      return t(open_limit === null ? 'assignments.automatic_unlimited' : 'assignments.automatic', numbers)
    }
    if (reason !== 'by_hand') return t(`assignments.${reason}`, { name: nameOf(from_user_id) })
    if (user_id === null) return t('assignments.unassigned', { by: nameOf(by_user_id) })
    if (user_id !== by_user_id) return t('assignments.by_hand', { name: nameOf(user_id), by: nameOf(by_user_id) })
    const from = from_user_id === null ? undefined : nameOf(from_user_id)
    return from
      ? t('assignments.taken_from', { name: nameOf(user_id), from })
      : t('assignments.taken', { name: nameOf(user_id) })
  }
}
