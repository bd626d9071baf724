import { Suspense } from 'react'
import { useTeam } from '../features/accounts/accounts/account.ts'
import { Preferences } from '../features/accounts/users/Preferences.tsx'
import { lazyComponent } from '../platform/lazy/lazy-component.tsx'
import styles from './AccountPanel.module.css'

const NotificationChoices = lazyComponent(
  async () => (await import('../features/conversations/notifications/NotificationChoices.tsx')).NotificationChoices,
)

const AwaySwitch = lazyComponent(
  async () => (await import('../features/conversations/assignments/AwaySwitch.tsx')).AwaySwitch,
)

/** The signed-in user, and the color scheme. */
export function AccountPanel() {
  const { me, account } = useTeam()
  const user = account.users.find(({ id }) => id === me.id)
  const name = user?.display_name || user?.full_name
  return (
    <div className={styles.panel}>
      <div>
        {name && <div className={styles.name}>{name}</div>}
        <div className={styles.email}>{me.email}</div>
        <div className={styles.email}>{account.company_name}</div>
      </div>
      <Suspense fallback={null}>
        <AwaySwitch />
      </Suspense>
      <Preferences />
      <Suspense fallback={null}>
        <NotificationChoices />
      </Suspense>
    </div>
  )
}
