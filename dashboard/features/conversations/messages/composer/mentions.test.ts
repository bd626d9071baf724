import { describe, expect, it } from 'vitest'
import type { User } from '#contract/accounts/users.ts'
import { cutMentions, mentionable, mentionedIn } from './mentions.ts'

const user = (id: number, overrides: Partial<User>): User => ({
  id,
  object: 'user',
  account_id: 'a1',
  email: `user${id}@acme.test`,
  role: 'user',
  full_name: null,
  display_name: null,
  profile_photo_url: null,
  created_at: '2026-11-20T10:00:00Z',
  disabled_at: null,
  archived_at: null,
  ...overrides,
})
const ada = user(1, { display_name: 'Ada' })
const ann = user(2, { display_name: 'Ann' })
const anna = user(3, { display_name: 'Anna', full_name: 'Anna Nguyễn' })
const disabledUser = user(4, { display_name: 'Gone', disabled_at: '2026-11-20T10:00:00Z' })
const twin = user(5, { display_name: 'Ann', email: 'second@acme.test' })
const team = [ada, ann, anna, disabledUser]
const ids = (users: { id: number }[]) => users.map(({ id }) => id)

describe('the teammates to mention', () => {
  it('are active people other than oneself, by display name, full name or e-mail', () => {
    expect(ids(mentionable(team, 1, ''))).toEqual([2, 3])
    expect(ids(mentionable(team, 1, 'ngu'))).toEqual([3])
    expect(ids(mentionable(team, 1, 'user2'))).toEqual([2])
  })
})

describe('a mention', () => {
  it('is a name after an @, and ends when the name is removed', () => {
    expect(mentionedIn('Could you look, @Anna?', team, 1, [3])).toEqual([{ id: 3, name: 'Anna' }])
    expect(mentionedIn('Could you look?', team, 1, [3])).toEqual([])
  })

  it('does not match a short name in a longer one, nor any in an address', () => {
    expect(ids(mentionedIn('@Anna', team, 1, []))).toEqual([3])
    expect(mentionedIn('mail@Ann', team, 1, [])).toEqual([])
  })

  it('refers to the chosen teammate if two have the same name', () => {
    expect(ids(mentionedIn('@Ann', [...team, twin], 1, [5]))).toEqual([5])
    expect(mentionedIn('@Ann', [...team, twin], 1, [])).toEqual([])
  })

  it('is a separate part of the displayed text', () => {
    expect(cutMentions('Hi @Anna!', ['Ann', 'Anna'])).toEqual([
      { text: 'Hi ', isMention: false },
      { text: '@Anna', isMention: true },
      { text: '!', isMention: false },
    ])
  })
})
