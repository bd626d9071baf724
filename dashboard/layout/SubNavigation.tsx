import { Link, matchPath } from 'react-router'
import { useTeam } from '../features/accounts/accounts/account.ts'
import { enabledParts } from '../platform/environment.ts'
import { useTitles } from '../platform/pages.ts'
import { navigationFor } from './navigation.ts'
import styles from './SubNavigation.module.css'

/** The page shown at every other settings address. */
const OTHERWISE = '/settings/account'

/**
 * The list of settings pages beside each of them, and beside those of inboxes; empty elsewhere. Not loaded lazily, because it would move the page
 * while somebody clicks.
 */
export function SubNavigation({ pathname }: { pathname: string }) {
  const { me, account } = useTeam()
  const titleOf = useTitles()
  // The settings of inboxes have addresses of their own; below one of these are its conversations.
  if (!/^\/(settings|inboxes(?!\/[^/]+\/conversations))(\/|$)/.test(pathname)) return null
  const group = navigationFor(me.role, enabledParts(), account.settings).find(({ path }) => path === '/settings')
  if (!group?.children) return null
  const here = group.children.find(({ path }) => matchPath(`${path}/*`, pathname))?.path ?? OTHERWISE
  return (
    <nav className={styles.bar} aria-label={titleOf(group.title)}>
      <h2 className={styles.heading}>{titleOf(group.title)}</h2>
      {group.children.map(({ path, title }) => (
        <Link key={path} to={path} className={styles.destination} aria-current={path === here ? 'page' : undefined}>
          {titleOf(title)}
        </Link>
      ))}
    </nav>
  )
}
