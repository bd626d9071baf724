import { Link, matchPath } from 'react-router'
import { useTeam } from '../features/accounts/accounts/account.ts'
import { enabledParts } from '../platform/environment.ts'
import { useTitles } from '../platform/pages.ts'
import { navigationFor } from './navigation.ts'
import styles from './SubNavigation.module.css'

/** The groups whose pages stand beside each of them, with the page shown at every other address. */
const GROUPS = [
  // The settings of inboxes have addresses of their own; below one of these are its conversations.
  { path: '/settings', at: /^\/(settings|inboxes(?!\/[^/]+\/conversations))(\/|$)/, otherwise: '/settings/account' },
  // An article needs the whole width.
  { path: '/help-center', at: /^\/help-center(?!\/articles\/)(\/|$)/, otherwise: '/help-center/articles' },
]

/**
 * The list of settings pages beside each of them and beside those of inboxes, and that of the help center; empty elsewhere. Not loaded lazily, because it would move the page
 * while somebody clicks.
 */
export function SubNavigation({ pathname }: { pathname: string }) {
  const { me, account } = useTeam()
  const titleOf = useTitles()
  const shown = GROUPS.find(({ at }) => at.test(pathname))
  if (!shown) return null
  const group = navigationFor(me.role, enabledParts(), account.settings).find(({ path }) => path === shown.path)
  if (!group?.children) return null
  const currentPath = group.children.find(({ path }) => matchPath(`${path}/*`, pathname))?.path ?? shown.otherwise
  return (
    <nav className={styles.bar} aria-label={titleOf(group.title)}>
      <h2 className={styles.heading}>{titleOf(group.title)}</h2>
      {group.children.map(({ path, title }) => (
        <Link
          key={path}
          to={path}
          className={styles.destination}
          aria-current={path === currentPath ? 'page' : undefined}
        >
          {titleOf(title)}
        </Link>
      ))}
    </nav>
  )
}
