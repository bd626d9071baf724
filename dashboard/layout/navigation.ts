import type { Me } from '#contract/accounts/auth-sessions.ts'
import { PAGES } from '../pages.ts'
import type { enabledParts } from '../platform/environment.ts'
import type { GroupName, NavigationEntry, Page, Title } from '../platform/pages.ts'
import type { IconName } from '../ui/icon-paths.ts'

interface Destination {
  title: Title
  path: string
}

export interface Item extends Destination {
  icon: IconName
  /** The entries of a group. Their paths start with that of the group. */
  children?: Destination[]
}

type Installation = ReturnType<typeof enabledParts>
/** Account settings that show entries to members. */
type Settings = { [Name in NonNullable<NavigationEntry['unless']>]?: boolean | null }

const GROUPS: Record<GroupName, Item> = {
  customers: { title: 'customers', icon: 'people', path: '/customers' },
  help: { title: 'help_center', icon: 'book', path: '/help-center' },
  developers: { title: 'developers', icon: 'code', path: '/developers' },
  sessions: { title: 'sessions', icon: 'record', path: '/sessions' },
  settings: { title: 'settings', icon: 'settings', path: '/settings' },
}

/**
 * The main navigation for a role, generated from the list of pages. It only hides pages; their addresses still work.
 */
export function navigationFor(role: Me['role'], enabled: Installation, settings: Settings = {}): Item[] {
  const items = new Map<string, Item>()
  for (const page of pagesFor(enabled)) {
    const { nav } = page
    const isForAdmins = nav?.role === 'admin' && !(nav.unless && settings[nav.unless])
    if (!nav || (isForAdmins && role !== 'admin')) continue
    const destination = destinationOf(page, nav)
    if (!nav.group) {
      items.set(destination.path, { ...destination, icon: nav.icon! })
      continue
    }
    const group = items.get(nav.group) ?? GROUPS[nav.group]
    items.set(nav.group, { ...group, children: [...(group.children ?? []), destination] })
  }
  return [...items.values()]
}

/** The pages that are enabled in this installation. */
export function pagesFor(enabled: Installation): Page[] {
  return PAGES.filter(({ needs }) => !needs || enabled[needs])
}

/** All pages in the navigation, without groups. The inbox is left out, because its views have entries of their own. */
export function destinationsFor(
  role: Me['role'],
  enabled: Installation,
  settings: Settings = {},
): (Destination & { icon: IconName })[] {
  return navigationFor(role, enabled, settings).flatMap((item) =>
    isInbox(item) ? [] : (item.children ?? [item]).map((destination) => ({ ...destination, icon: item.icon })),
  )
}

export function isInbox({ path }: Destination): boolean {
  return path === '/conversations'
}

function destinationOf(page: Page, nav: NavigationEntry): Destination {
  return { title: nav.title ?? page.title!, path: nav.path ?? page.paths[0]! }
}

/** Whether a conversations page is on screen. */
export function isInInbox(pathname: string): boolean {
  return /^\/(conversations|inboxes|teams)(\/|$)/.test(pathname)
}

/** The lists of conversations; the address of a conversation goes on with its id. */
const LIST = /^\/(conversations\/(views\/[^/]+|due\/overdue|[^/]+)|(inboxes|teams)\/[^/]+\/conversations)$/

/** Whether a conversation is open. On phones it needs the room, and has a way back of its own. */
export function isReading(pathname: string): boolean {
  const isList = LIST.test(pathname)
  return !isList && LIST.test(pathname.slice(0, pathname.lastIndexOf('/')))
}

/** Whether an entry, or a page of its group, is on screen. */
export function isAt(item: Item, pathname: string): boolean {
  if (isInbox(item)) return isInInbox(pathname)
  const paths = [
    item.path,
    ...(item.children ?? []).map((destination) => destination.path).filter((path) => path !== '/inboxes'),
  ]
  return paths.some((path) => pathname === path || pathname.startsWith(`${path}/`))
}
