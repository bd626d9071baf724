import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type User, userName } from '#contract/accounts/users.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { useUsersOnline } from '../../../../platform/realtime/presence.ts'
import { Avatar } from '../../../../ui/Avatar.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { Menu } from '../../../../ui/Menu.tsx'
import { assignable, useTeam } from '../../../accounts/accounts/account.ts'
import { availabilityQuery, isAway } from '../../../accounts/availability/queries.ts'
import styles from './AssigneeSelect.module.css'

const NOBODY = 'nobody'

/** For larger teams a search is offered. */
const MAX_OPTIONS = 20

interface AssigneeSelectProps {
  conversation: Conversation
  assign: (assignee_id: number | null) => void
  /** Opens the search. */
  find: () => void
}

/** The assignee of a conversation. */
export function AssigneeSelect({ conversation, assign, find }: AssigneeSelectProps) {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const { assignee_id } = conversation
  const users = assignable(account.users, assignee_id)
  const assignee = users.find(({ id }) => id === assignee_id)
  const nearest = users.filter(({ id }) => id === assignee_id || id === me.id)
  const offered = users.length > MAX_OPTIONS ? [...new Set([...nearest, ...users])].slice(0, MAX_OPTIONS) : users
  const name = assignee ? userName(assignee) : t('conversation.no_assignee')
  const stateOf = useStates()
  const nameWithState = (user: User) => {
    const name = userName(user)
    return stateOf(user) === 'away' ? t('assignments.is_away', { name }) : name
  }
  const items = [
    {
      key: NOBODY,
      label: <Choice user={undefined} name={t('conversation.no_assignee')} />,
      text: t('conversation.no_assignee'),
      onClick: () => assign(null),
    },
    ...offered.map((user) => ({
      key: String(user.id),
      label: <Choice user={user} name={nameWithState(user)} state={stateOf(user)} />,
      text: nameWithState(user),
      onClick: () => assign(user.id),
    })),
    ...(offered.length < users.length ? [{ key: 'find', label: t('conversation.find_assignee'), onClick: find }] : []),
  ]
  return (
    <Menu items={items} chosen={assignee ? String(assignee.id) : NOBODY}>
      {(trigger) => (
        <button
          {...trigger}
          type="button"
          className={styles.select}
          aria-label={`${t('conversation.assignee')}: ${name}`}
        >
          <Choice user={assignee} name={name} />
          <Icon name="chevron" size={14} />
        </button>
      )}
    </Menu>
  )
}

/** Whether users are here, and have not said that they are away. */
function useStates() {
  const online = useUsersOnline()
  const { data } = useQuery(availabilityQuery)
  return ({ id }: User) => (isAway(data, id) ? 'away' : online.has(id) ? 'online' : undefined)
}

interface ChoiceProps {
  user: User | undefined
  name: string
  state?: 'online' | 'away' | undefined
}

function Choice({ user, name, state }: ChoiceProps) {
  return (
    <span className={styles.option}>
      {user ? (
        <Avatar id={user.id} name={name} photo={user.profile_photo_url} size={20} />
      ) : (
        <Icon name="unassigned" size={18} />
      )}
      <span className={styles.name}>{name}</span>
      {state && <span className={styles.dot} data-state={state} />}
    </span>
  )
}
