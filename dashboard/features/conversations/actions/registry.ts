import type { IconName } from '../../../ui/icon-paths.ts'
import type { Action, ActionName } from './action.ts'
import { CONVERSATION_ACTIONS } from './conversation-actions.ts'
import { LIST_ACTIONS } from './list-actions.ts'

const always = () => true

/**
 * All actions. Shortcuts, palette, the list of shortcuts and tooltips are generated from this list. If two actions
 * share a key, the first available one runs.
 */
export const ACTIONS: readonly Action[] = [
  ...CONVERSATION_ACTIONS,
  ...LIST_ACTIONS,
  goTo('go_all', 'stack', 'g a', 'all'),
  goTo('go_me', 'person', 'g m', 'me'),
  goTo('go_mentions', 'at', 'g n', 'mentions'),
  goTo('go_unread', 'unread', 'g u', 'unread'),
  goTo('go_unassigned', 'unassigned', 'g i', 'unassigned'),
  goTo('go_priority', 'star', 'g p', 'priority'),
  goTo('go_due', 'flag', 'g d', 'due'),
  goTo('go_snoozed', 'clock', 'g s', 'snoozed'),
  goTo('go_closed', 'tick', 'g c', 'closed'),
  {
    id: 'palette',
    section: 'general',
    icon: 'search',
    keys: ['mod+k'],
    isKeyOnly: true,
    when: always,
    run: ({ open }) => open('all'),
  },
  {
    id: 'undo',
    section: 'general',
    icon: 'reopen',
    keys: ['mod+z'],
    outsideText: true,
    when: ({ undo }) => undo !== undefined,
    run: ({ undo }) => undo?.(),
  },
  {
    id: 'new_article',
    section: 'general',
    icon: 'book',
    keys: ['shift+n'],
    when: always,
    run: ({ go }) => go('/help-center/articles/new'),
  },
  {
    id: 'away',
    section: 'general',
    icon: 'pause',
    keys: ['shift+a'],
    when: always,
    run: ({ toggleAway }) => toggleAway(),
  },
  { id: 'help', section: 'general', icon: 'keyboard', keys: ['?'], when: always, run: ({ help }) => help() },
]

function goTo(id: ActionName, icon: IconName, keys: string, bucket: string): Action {
  return {
    id,
    section: 'go',
    icon,
    keys: [keys],
    when: always,
    run: ({ go }) => go(`/conversations/${bucket}`),
  }
}

/** The keys of an action as tooltips show them. */
export function keysOf(id: ActionName): string {
  return ACTIONS.find((action) => action.id === id)?.keys[0] ?? ''
}
