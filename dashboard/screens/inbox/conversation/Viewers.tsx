import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import { useTeam } from '../../../features/accounts/accounts/account.ts'
import { useViewers } from '../../../platform/realtime/presence.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Each } from '../../../ui/Each.tsx'
import styles from './Viewers.module.css'

const MAX_AVATARS = 3

/** Who else has the conversation open, so that two people do not reply at once. */
export function Viewers({ conversation_id }: { conversation_id: string }) {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const ids = useViewers(conversation_id).filter((id) => id !== me.id)
  const others = ids.flatMap((id) => account.users.find((user) => user.id === id) ?? [])
  if (others.length === 0) return null
  return (
    <div className={styles.viewers}>
      <Each name="viewer" items={others.slice(0, MAX_AVATARS)} keyOf={(user) => user.id} fallback={() => null}>
        {(user) => {
          const label = t('conversation.viewing', { name: userName(user) })
          return (
            <span role="img" aria-label={label} title={label} className={styles.viewer}>
              <Avatar id={user.id} name={userName(user)} photo={user.profile_photo_url} size={26} />
            </span>
          )
        }}
      </Each>
      {others.length > MAX_AVATARS && <span className={styles.more}>+{others.length - MAX_AVATARS}</span>}
    </div>
  )
}
