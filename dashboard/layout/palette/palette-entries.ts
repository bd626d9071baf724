import type { TFunction } from 'i18next'
import type { Team as NamedTeam } from '#contract/accounts/teams.ts'
import { userName } from '#contract/accounts/users.ts'
import type { Tag } from '#contract/conversations/conversations.ts'
import type { Macro } from '#contract/conversations/macros.ts'
import type { ConversationView } from '#contract/conversations/views.ts'
import type { Inbox } from '#contract/widget/inboxes.ts'
import type english from '../../../locales/en/dashboard/actions.json'
import { assignable, type Team } from '../../features/accounts/accounts/account.ts'
import type { Context } from '../../features/conversations/actions/action.ts'
import type { InboxOnScreen } from '../../features/conversations/actions/inbox-on-screen.ts'
import { openSnoozeTime, type Scope } from '../../features/conversations/actions/overlays.ts'
import { ACTIONS } from '../../features/conversations/actions/registry.ts'
import { snoozeTimes } from '../../features/conversations/actions/snooze-times.ts'
import type { IconName } from '../../ui/icon-paths.ts'
import type { RecordMatches } from './records.ts'

/** One entry of the palette. */
export interface Entry {
  id: string
  title: string
  section: keyof typeof english.actions.sections
  icon: IconName
  keys?: string | undefined
  run: () => void
}

/** A screen of the main navigation. */
export interface PaletteScreen {
  name: string
  path: string
  icon: IconName
}

/** The data that entries are made from. */
export interface PaletteData {
  t: TFunction
  context: Context
  team: Team
  tags: readonly Tag[]
  teams: readonly NamedTeam[]
  inboxes: readonly Inbox[]
  views: readonly ConversationView[]
  macros: readonly Macro[]
  runMacro(macro: Macro, targets: InboxOnScreen['targets']): void
  pages: readonly PaletteScreen[]
}

/**
 * The sources of entries. A scope limits the palette to the sources with that scope. Sources with many entries come
 * last, because only the first entries are rendered before anything is typed.
 */
const PROVIDERS: { scope?: Scope; list: (data: PaletteData) => Entry[] }[] = [
  { list: listActions },
  { scope: 'snooze', list: listSnoozeTimes },
  { scope: 'macro', list: listMacros },
  { list: listPages },
  { list: listInboxes },
  { list: listViews },
  { scope: 'assign', list: listTeammates },
  { scope: 'assign', list: listTeams },
  { scope: 'tag', list: listTags },
  { list: listNamedTags },
]

/** All entries that are available here, or only those of one scope. */
export function listEntries(data: PaletteData, scope: Scope): Entry[] {
  const providers = scope === 'all' ? PROVIDERS : PROVIDERS.filter((provider) => provider.scope === scope)
  return providers.flatMap((provider) => provider.list(data))
}

function listActions({ t, context }: PaletteData): Entry[] {
  return ACTIONS.filter(({ isKeyOnly, when }) => !isKeyOnly && when(context)).map(
    ({ id, section, icon, keys, run }) => ({
      id,
      section,
      icon,
      title: t(`actions.${id}`),
      keys: keys[0],
      run: () => run(context),
    }),
  )
}

function listTeammates({ t, context: { inbox }, team: { me, account } }: PaletteData): Entry[] {
  if (!inbox?.targets.length) return []
  const users = assignable(account.users, null).map((user) => ({
    id: `assign ${user.id}`,
    section: 'assign' as const,
    icon: 'person' as const,
    title: t(user.id === me.id ? 'palette.assign_me' : 'palette.assign', { name: userName(user) }),
    run: () => inbox.assign(user.id),
  }))
  return [
    ...users,
    {
      id: 'assign nobody',
      section: 'assign',
      icon: 'unassigned',
      title: t('palette.unassign'),
      run: () => inbox.assign(null),
    },
  ]
}

function listTeams({ t, context: { inbox }, teams }: PaletteData): Entry[] {
  if (!inbox?.targets.length) return []
  return teams.map(({ id, name }) => ({
    id: `team ${id}`,
    section: 'assign',
    icon: 'people',
    title: t('palette.team', { name }),
    run: () => inbox.moveToTeam(id),
  }))
}

function listTags({ t, context: { inbox }, tags }: PaletteData): Entry[] {
  if (!inbox?.targets.length) return []
  const lacking = tags.filter(({ id }) => inbox.targets.some((target) => !target.tags.some((tag) => tag.id === id)))
  return lacking.map((tag) => ({
    id: `tag ${tag.id}`,
    section: 'tag',
    icon: 'flag',
    title: t('palette.tag', { name: tag.name }),
    run: () => inbox.tag(tag),
  }))
}

function listMacros({ t, context: { inbox }, macros, runMacro }: PaletteData): Entry[] {
  if (!inbox?.targets.length) return []
  return macros.map((macro) => ({
    id: `macro ${macro.id}`,
    section: 'macro',
    icon: 'play',
    title: t('palette.macro', { name: macro.name }),
    run: () => runMacro(macro, inbox.targets),
  }))
}

function listSnoozeTimes({ t, context: { inbox } }: PaletteData): Entry[] {
  if (!inbox?.targets.some(({ status }) => status === 'open')) return []
  const times = snoozeTimes(new Date()).map(({ name, until }) => ({
    id: `snooze ${name}`,
    section: 'snooze' as const,
    icon: 'clock' as const,
    title: t(`palette.snooze_${name}`),
    run: () => inbox.snooze(until),
  }))
  const pick = () => openSnoozeTime((until) => inbox.snooze(until))
  return [...times, { id: 'snooze pick', section: 'snooze', icon: 'edit', title: t('palette.snooze_pick'), run: pick }]
}

function listInboxes({ t, context, inboxes }: PaletteData): Entry[] {
  return inboxes.map((inbox) => ({
    id: `inbox ${inbox.id}`,
    section: 'go',
    icon: 'inbox',
    title: t('palette.go', { name: inbox.name }),
    run: () => context.go(`/inboxes/${inbox.id}/conversations`),
  }))
}

function listViews({ t, context, views }: PaletteData): Entry[] {
  return views.map(({ id, name }) => ({
    id: `view ${id}`,
    section: 'go',
    icon: 'eye',
    title: t('palette.view', { name }),
    run: () => context.go(`/conversations/views/${id}`),
  }))
}

function listPages({ t, context, pages }: PaletteData): Entry[] {
  return pages.map(({ name, path, icon }) => ({
    id: `go ${path}`,
    section: 'go',
    icon,
    title: t('palette.go', { name }),
    run: () => context.go(path),
  }))
}

function listNamedTags({ context, tags }: PaletteData): Entry[] {
  return tags.map(({ id, name }) => ({
    id: `named tag ${id}`,
    section: 'named_tag',
    icon: 'flag',
    title: name,
    run: () => context.go(`/tags/${id}`),
  }))
}

/** Entries for the server's search results: ranked with the others, or listed below them if only other fields match. */
export function listMatches(context: Context, matches: readonly RecordMatches[]): Entry[] {
  return matches.map(({ path, ...entry }) => ({ ...entry, run: () => context.go(path) }))
}
