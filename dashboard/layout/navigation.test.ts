import { describe, expect, it } from 'vitest'
import common from '../../locales/en/dashboard/common.json'
import { isAt, isInInbox, isReading, navigationFor } from './navigation.ts'

function names(role: 'admin' | 'user', billing = false) {
  return navigationFor(role, { billing, storytime: true }).map((item) => common.titles[item.title])
}

function settings(role: 'admin' | 'user', billing = false) {
  const item = navigationFor(role, { billing, storytime: true }).find(({ title }) => title === 'settings')
  return item?.children?.map((child) => common.titles[child.title])
}

describe('the main navigation', () => {
  it('shows everything to an admin', () => {
    expect(names('admin')).toEqual([
      'Getting started',
      'Inbox',
      'Integrations',
      'Customers',
      'Help center',
      'Reporting',
      'Developers',
      'Sessions',
      'Settings',
    ])
  })

  it('shows any other role inbox, customers, help center, reporting and settings only', () => {
    expect(names('user')).toEqual(['Inbox', 'Customers', 'Help center', 'Reporting', 'Settings'])
  })

  it('shows live sessions to members where the account allows them to watch, and not how they are set up', () => {
    const items = navigationFor('user', { billing: false, storytime: true }, { members_watch_sessions: true })
    const sessions = items.find(({ title }) => title === 'sessions')
    expect(sessions?.children?.map(({ path }) => path)).toEqual(['/sessions/list'])
    const without = navigationFor('admin', { billing: false, storytime: false })
    expect(without.map(({ title }) => title)).not.toContain('sessions')
  })

  it('shows any other role only profile, saved replies, macros and assistants under settings', () => {
    expect(settings('user', true)).toEqual(['My profile', 'Saved replies', 'Macros', 'Assistants'])
  })

  it('shows billing to an admin only where billing is enabled', () => {
    expect(settings('admin')).toEqual([
      'Account',
      'Health',
      'Moving in',
      'My team',
      'Teams',
      'My profile',
      'Inboxes',
      'Saved replies',
      'Deadlines',
      'Macros',
      'Rules',
      'Attributes',
      'Assistants',
      'Language model',
      'Email forwarding',
    ])
    expect(settings('admin', true)).toContain('Billing')
  })
})

describe('where somebody is', () => {
  it('counts the conversations of inboxes and teams as the inbox', () => {
    expect(isInInbox('/conversations/all/1')).toBe(true)
    expect(isInInbox('/inboxes/1/conversations')).toBe(true)
    expect(isInInbox('/teams/1/conversations')).toBe(true)
    expect(isInInbox('/customers')).toBe(false)
  })

  it('marks one item at a time, and a group by what is in it', () => {
    const at = (pathname: string) =>
      navigationFor('admin', { billing: true, storytime: true })
        .filter((item) => isAt(item, pathname))
        .map((item) => common.titles[item.title])
    expect(at('/tags/1')).toEqual(['Customers'])
    expect(at('/functions')).toEqual(['Developers'])
    expect(at('/inboxes')).toEqual(['Inbox'])
  })
})

it.each([
  ['/conversations/all', false],
  ['/conversations/all/c1', true],
  ['/conversations/due', false],
  ['/conversations/due/overdue', false],
  ['/conversations/due/overdue/c1', true],
  ['/conversations/views/v1', false],
  ['/conversations/views/v1/c1', true],
  ['/inboxes/i1', false],
  ['/inboxes/i1/conversations', false],
  ['/inboxes/i1/conversations/c1', true],
  ['/teams/t1/conversations', false],
  ['/teams/t1/conversations/c1', true],
  ['/customers/p1', false],
])('at %s a conversation is open: %s', (path, isOpen) => {
  expect(isReading(path)).toBe(isOpen)
})
