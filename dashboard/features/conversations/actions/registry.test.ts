import { describe, expect, it } from 'vitest'
import english from '../../../../locales/en/dashboard/actions.json'
import { conversation } from '../../../testing/samples.ts'
import type { Context } from './action.ts'
import type { InboxOnScreen } from './inbox-on-screen.ts'
import { keyOf } from './keys.ts'
import { ACTIONS } from './registry.ts'

const press = (key: string, overrides: object = {}) => ({
  key,
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...overrides,
})

/** An inbox that records the names of the commands that were run. */
function inboxWith(targets: InboxOnScreen['targets'], done: string[]): Context {
  const commands = new Proxy({ targets, current: targets[0], isChoosing: false } as unknown as InboxOnScreen, {
    get: (target, name) => Reflect.get(target, name) ?? ((...args: unknown[]) => done.push([name, ...args].join(' '))),
  })
  const note = (name: string) => (argument?: unknown) =>
    void done.push(argument === undefined ? name : `${name} ${argument}`)
  return {
    inbox: commands,
    undo: undefined,
    go: note('go'),
    open: note('open'),
    help: note('help'),
    toggleAway: note('toggle away'),
    makeArticle: note('make article of'),
    confirmDelete: (count) => void done.push(`ask about ${count}`),
  }
}

function actionsFor(context: Context, keys: string) {
  const action = ACTIONS.find((each) => each.keys.includes(keys) && each.when(context))
  action?.run(context)
  return action?.id
}

describe('the list of actions', () => {
  it('gives every action a unique name, id and keys', () => {
    const ids = ACTIONS.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const keys = ACTIONS.flatMap((action) => action.keys)
    expect(new Set(keys).size).toBe(keys.length)
    const { sections: _, ...named } = english.actions
    expect(Object.keys(named).sort()).toEqual([...ids].sort())
    const titles = ids.map((id) => english.actions[id])
    expect(new Set(titles).size).toBe(titles.length)
  })

  it('lets no single key block a combination of two', () => {
    const firsts = new Set(ACTIONS.flatMap(({ keys }) => keys.filter((key) => key.includes(' ')).map((key) => key[0])))
    expect(ACTIONS.flatMap(({ keys }) => keys.filter((key) => firsts.has(key)))).toEqual([])
  })

  it.each([
    ['mod+down', 'move 1'],
    ['mod+up', 'move -1'],
    ['mod+d', 'close'],
    ['mod+p', 'setPriority priority'],
  ])('%s does %s, as the specification has it', (keys, does) => {
    const done: string[] = []
    actionsFor(inboxWith([conversation()], done), keys)
    expect(done).toEqual([does])
  })

  it('removes priority with u and reopens with o, where there is something to remove or reopen', () => {
    const done: string[] = []
    actionsFor(inboxWith([conversation()], done), 'mod+u')
    actionsFor(inboxWith([conversation()], done), 'mod+o')
    expect(done).toEqual([])
    actionsFor(inboxWith([conversation({ priority: 'priority' })], done), 'mod+u')
    actionsFor(inboxWith([conversation({ status: 'closed' })], done), 'mod+o')
    expect(done).toEqual(['setPriority not_priority', 'reopen'])
  })

  it('asks for confirmation before a key deletes', () => {
    const done: string[] = []
    actionsFor(inboxWith([conversation(), conversation({ id: 'c2' })], done), '#')
    expect(done).toEqual(['ask about 2'])
  })

  it('offers on other screens only what needs no conversation', () => {
    const context = { ...inboxWith([], []), inbox: undefined }
    const possible = ACTIONS.filter(({ when }) => when(context)).map(({ section }) => section)
    expect(new Set(possible)).toEqual(new Set(['go', 'general']))
  })
})

describe('keys', () => {
  it('are written alike with Cmd and with Ctrl', () => {
    expect(keyOf(press('d', { metaKey: true }))).toBe('mod+d')
    expect(keyOf(press('D', { ctrlKey: true }))).toBe('mod+d')
    expect(keyOf(press('ArrowDown', { ctrlKey: true }))).toBe('mod+down')
  })

  it('distinguish letters with and without Shift, but not signs', () => {
    expect(keyOf(press('j'))).toBe('j')
    expect(keyOf(press('J', { shiftKey: true }))).toBe('shift+j')
    expect(keyOf(press('?', { shiftKey: true }))).toBe('?')
    expect(keyOf(press('?'))).toBe('?')
  })

  it('do nothing with further modifier keys, or during composition', () => {
    expect(keyOf(press('d', { metaKey: true, shiftKey: true }))).toBeUndefined()
    expect(keyOf(press('d', { altKey: true }))).toBeUndefined()
    expect(keyOf(press('d', { isComposing: true }))).toBeUndefined()
    expect(keyOf(press('F5'))).toBeUndefined()
  })
})
