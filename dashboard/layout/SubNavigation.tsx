import { NavLink } from 'react-router'
import { useTeam } from '../features/accounts/account.ts'
import { enabledParts } from '../platform/environment.ts'
import { useTitles } from '../platform/pages.ts'
import { navigationFor } from './navigation.ts'
import styles from './SubNavigation.module.css'

/**
 * Beside a page of the settings: the others. Nothing elsewhere. It comes with the frame, because a page that it moves aside
 * would be clicked in the wrong place.
 */
export function SubNavigation({ pathname }: { pathname: string }) {
  const { me, account } = useTeam()
  const say = useTitles()
  if (!pathname.startsWith('/settings')) return null
  const group = navigationFor(me.role, enabledParts(), account.settings).find(({ path }) => path === '/settings')
  if (!group?.children) return null
  return (
    <nav className={styles.bar} aria-label={say(group.title)}>
      <h2 className={styles.heading}>{say(group.title)}</h2>
      {group.children.map(({ path, title }) => (
        <NavLink key={path} to={path} className={styles.place!}>
          {say(title)}
        </NavLink>
      ))}
    </nav>
  )
}
