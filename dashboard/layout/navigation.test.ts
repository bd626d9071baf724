import { describe, expect, it } from 'vitest'
import { isAt, isInInbox, navigationFor } from './navigation.ts'

function names(role: 'admin' | 'user', billing = false) {
  return navigationFor(role, { billing }).map((item) => item.name)
}

function settings(role: 'admin' | 'user', billing = false) {
  const item = navigationFor(role, { billing }).find(({ name }) => name === 'settings')
  return item?.children?.map((place) => place.name)
}

describe('the main navigation', () => {
  it('shows everything to an admin', () => {
    expect(names('admin')).toEqual([
      'getting_started',
      'inbox',
      'integrations',
      'customers',
      'reporting',
      'developers',
      'sessions',
      'settings',
    ])
  })

  it('shows any other role inbox, customers, reporting and settings only', () => {
    expect(names('user')).toEqual(['inbox', 'customers', 'reporting', 'settings'])
  })

  it('shows any other role only profile and saved replies under settings', () => {
    expect(settings('user', true)).toEqual(['profile', 'saved_replies'])
  })

  it('shows billing to an admin only where billing is enabled', () => {
    expect(settings('admin')).toEqual(['account', 'team', 'profile', 'inboxes', 'saved_replies'])
    expect(settings('admin', true)).toContain('billing')
  })
})

describe('where somebody is', () => {
  it('counts conversations and inboxes as the inbox', () => {
    expect(isInInbox('/conversations/all/1')).toBe(true)
    expect(isInInbox('/inboxes/1/conversations')).toBe(true)
    expect(isInInbox('/customers')).toBe(false)
  })

  it('marks one item at a time, and a group by what is in it', () => {
    const at = (pathname: string) =>
      navigationFor('admin', { billing: true })
        .filter((item) => isAt(item, pathname))
        .map((item) => item.name)
    expect(at('/tags/1')).toEqual(['customers'])
    expect(at('/functions')).toEqual(['developers'])
    expect(at('/inboxes')).toEqual(['inbox'])
  })
})
