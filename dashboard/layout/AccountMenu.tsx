import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import { useTeam } from '../features/accounts/accounts/account.ts'
import { availabilityQuery, isAway } from '../features/accounts/availability/queries.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Popover } from '../ui/Popover.tsx'
import styles from './AccountMenu.module.css'
import { AccountPanel } from './AccountPanel.tsx'

/** The user's picture, which opens the account menu, and whether they are away: nobody should forget that. */
export function AccountMenu() {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const { data } = useQuery(availabilityQuery)
  const label = isAway(data, me.id) ? t('assignments.is_away', { name: t('nav.you') }) : t('nav.you')
  const user = account.users.find(({ id }) => id === me.id)
  return (
    <Popover label={t('nav.you')} placement="right bottom" content={<AccountPanel />}>
      {(trigger) => (
        <button {...trigger} type="button" className={styles.button} aria-label={label}>
          <Avatar
            id={me.id}
            name={userName(user ?? { ...me, display_name: null, full_name: null })}
            photo={user?.profile_photo_url ?? null}
          />
          {isAway(data, me.id) && <span className={styles.away} />}
        </button>
      )}
    </Popover>
  )
}
