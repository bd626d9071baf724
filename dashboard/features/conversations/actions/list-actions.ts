import type { Action, Context } from './action.ts'

const inInbox = ({ inbox }: Context) => inbox !== undefined

/** Actions on the list of conversations. */
export const LIST_ACTIONS: readonly Action[] = [
  {
    id: 'down',
    section: 'list',
    icon: 'stack',
    keys: ['mod+down', 'j'],
    repeats: true,
    isKeyOnly: true,
    when: inInbox,
    run: ({ inbox }) => inbox?.move(1),
  },
  {
    id: 'up',
    section: 'list',
    icon: 'stack',
    keys: ['mod+up', 'k'],
    repeats: true,
    isKeyOnly: true,
    when: inInbox,
    run: ({ inbox }) => inbox?.move(-1),
  },
  {
    id: 'choose',
    section: 'list',
    icon: 'tick',
    keys: ['x'],
    when: ({ inbox }) => !!inbox?.current,
    run: ({ inbox }) => inbox?.choose(),
  },
  {
    id: 'extend_down',
    section: 'list',
    icon: 'stack',
    keys: ['shift+down', 'shift+j'],
    repeats: true,
    isKeyOnly: true,
    when: inInbox,
    run: ({ inbox }) => inbox?.extend(1),
  },
  {
    id: 'extend_up',
    section: 'list',
    icon: 'stack',
    keys: ['shift+up', 'shift+k'],
    repeats: true,
    isKeyOnly: true,
    when: inInbox,
    run: ({ inbox }) => inbox?.extend(-1),
  },
  {
    id: 'choose_none',
    section: 'list',
    icon: 'close',
    keys: ['esc'],
    when: ({ inbox }) => !!inbox?.isChoosing,
    run: ({ inbox }) => inbox?.chooseNone(),
  },
  {
    id: 'search',
    section: 'list',
    icon: 'search',
    keys: ['/'],
    when: inInbox,
    run: ({ inbox }) => inbox?.search(),
  },
]
