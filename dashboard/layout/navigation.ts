import type { Me } from '#contract/auth-sessions.ts'
import type { IconName } from '../ui/icon-paths.ts'

export type PlaceName =
  | 'getting_started'
  | 'inbox'
  | 'integrations'
  | 'customers'
  | 'people'
  | 'companies'
  | 'tags'
  | 'issues'
  | 'notes'
  | 'reporting'
  | 'developers'
  | 'api_keys'
  | 'event_subscriptions'
  | 'functions'
  | 'sessions'
  | 'live_sessions'
  | 'storytime'
  | 'settings'
  | 'account'
  | 'team'
  | 'profile'
  | 'inboxes'
  | 'saved_replies'
  | 'billing'

export interface Place {
  name: PlaceName
  path: string
}

export interface Item {
  name: PlaceName
  icon: IconName
  /** Where it leads; for a group, the start of the paths below it. */
  path: string
  children?: Place[]
}

/** The main navigation as one role sees it. Roles decide what is shown, not what may be opened by its address. */
export function navigationFor(role: Me['role'], { billing }: { billing: boolean }): Item[] {
  const isAdmin = role === 'admin'
  return [
    ...(isAdmin ? [{ name: 'getting_started', icon: 'compass', path: '/getting-started' } as const] : []),
    { name: 'inbox', icon: 'inbox', path: '/conversations' },
    ...(isAdmin ? [{ name: 'integrations', icon: 'plug', path: '/integrations' } as const] : []),
    { name: 'customers', icon: 'people', path: '/customers', children: CUSTOMERS },
    { name: 'reporting', icon: 'chart', path: '/reporting' },
    ...(isAdmin ? ADMIN_GROUPS : []),
    { name: 'settings', icon: 'settings', path: '/settings', children: settingsFor(isAdmin, billing) },
  ]
}

/** Every screen that the navigation leads to, groups taken apart. The inbox has names of its own for its views. */
export function placesFor(role: Me['role'], enabled: { billing: boolean }): (Place & { icon: IconName })[] {
  return navigationFor(role, enabled).flatMap(({ name, path, icon, children }) =>
    name === 'inbox' ? [] : (children ?? [{ name, path }]).map((place) => ({ ...place, icon })),
  )
}

const CUSTOMERS: Place[] = [
  { name: 'people', path: '/customers' },
  { name: 'companies', path: '/companies' },
  { name: 'tags', path: '/tags' },
  { name: 'issues', path: '/issues' },
  { name: 'notes', path: '/notes' },
]

const ADMIN_GROUPS: Item[] = [
  {
    name: 'developers',
    icon: 'code',
    path: '/developers',
    children: [
      { name: 'api_keys', path: '/developers/personal-api-keys' },
      { name: 'event_subscriptions', path: '/developers/event-subscriptions' },
      { name: 'functions', path: '/functions' },
    ],
  },
  {
    name: 'sessions',
    icon: 'record',
    path: '/sessions',
    children: [
      { name: 'live_sessions', path: '/sessions/list' },
      { name: 'storytime', path: '/sessions/setup' },
    ],
  },
]

function settingsFor(isAdmin: boolean, billing: boolean): Place[] {
  const profile: Place = { name: 'profile', path: '/settings/profile' }
  const replies: Place = { name: 'saved_replies', path: '/settings/saved-replies' }
  if (!isAdmin) return [profile, replies]
  return [
    { name: 'account', path: '/settings/account' },
    { name: 'team', path: '/settings/team' },
    profile,
    { name: 'inboxes', path: '/inboxes' },
    replies,
    ...(billing ? [{ name: 'billing', path: '/settings/billing' } as const] : []),
  ]
}

/** Whether the conversations area is on screen. */
export function isInInbox(pathname: string): boolean {
  return /^\/(conversations|inboxes)(\/|$)/.test(pathname)
}

/** Whether an item, or something in its group, is on screen. */
export function isAt(item: Item, pathname: string): boolean {
  if (item.name === 'inbox') return isInInbox(pathname)
  const paths = [item.path, ...(item.children ?? []).map((place) => place.path).filter((path) => path !== '/inboxes')]
  return paths.some((path) => pathname === path || pathname.startsWith(`${path}/`))
}
