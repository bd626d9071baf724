import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations.ts'
import { userName } from '#contract/users.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { assignable, useTeam } from '../accounts/account.ts'
import styles from './AssigneeSelect.module.css'

const NOBODY = 'nobody'

interface AssigneeSelectProps {
  conversation: Conversation
  assign: (assignee_id: number | null) => void
}

/** Who takes care of a conversation. */
export function AssigneeSelect({ conversation, assign }: AssigneeSelectProps) {
  const { t } = useTranslation()
  const { account } = useTeam()
  const { assignee_id } = conversation
  const users = assignable(account.users, assignee_id)
  return (
    <Select
      className={styles.select}
      variant="borderless"
      aria-label={t('conversation.assignee')}
      value={assignee_id === null ? NOBODY : String(assignee_id)}
      popupMatchSelectWidth={220}
      showSearch={users.length > 8 ? { optionFilterProp: 'title' } : false}
      onChange={(value) => assign(value === NOBODY ? null : Number(value))}
      options={[
        {
          value: NOBODY,
          title: t('conversation.no_assignee'),
          label: (
            <span className={styles.option}>
              <Icon name="unassigned" />
              {t('conversation.no_assignee')}
            </span>
          ),
        },
        ...users.map((user) => ({
          value: String(user.id),
          title: userName(user),
          label: (
            <span className={styles.option}>
              <Avatar id={user.id} name={userName(user)} photo={user.profile_photo_url} size={20} />
              <span className={styles.name}>{userName(user)}</span>
            </span>
          ),
        })),
      ]}
    />
  )
}
