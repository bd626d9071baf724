import { expect, test } from 'vitest'
import type { NotifyAbout } from '#contract/accounts/user-settings.ts'
import { conversation, ME, message } from '../../../testing/samples.ts'
import { isNotifiable, isWanted } from './rules.ts'

const incoming = message({ id: 'm9', customer_id: 'carla', user_id: null })
const noted = message({ id: 'm9', customer_id: null, user_id: 8, private: true, type: 'note' })
const mentions = [
  {
    id: 'x',
    object: 'mention' as const,
    account_id: 'a1',
    conversation_id: 'c1',
    message_id: 'm9',
    user_id: ME,
    seen_at: null,
    created_at: incoming.created_at,
    user: null,
  },
]
const notifies = (rules: NotifyAbout[], overrides: Parameters<typeof conversation>[0], received = incoming) =>
  isWanted(received, conversation(overrides), rules, ME)

test('nobody is notified of their own messages or of a bot’s', () => {
  expect(isNotifiable(incoming, ME)).toBe(true)
  expect(isNotifiable(noted, ME)).toBe(true)
  expect(isNotifiable({ ...noted, user_id: ME }, ME)).toBe(false)
  expect(isNotifiable({ ...noted, type: 'bot', user_id: null }, ME)).toBe(false)
})

test.each<[NotifyAbout[], boolean, boolean, boolean]>([
  [['all'], true, true, true],
  [['mine'], true, false, false],
  [['unassigned'], false, true, false],
  [['mentions'], false, false, false],
  [['mine', 'unassigned'], true, true, false],
  [[], false, false, false],
])(
  'with %j a customer’s words are told if the conversation is mine: %s, nobody’s: %s, another’s: %s',
  (rules, mine, nobodys, anothers) => {
    expect(notifies(rules, { assignee_id: ME })).toBe(mine)
    expect(notifies(rules, { assignee_id: null })).toBe(nobodys)
    expect(notifies(rules, { assignee_id: 8 })).toBe(anothers)
  },
)

test('a teammate’s message notifies me if it mentions me, and I want mentions or everything', () => {
  expect(notifies(['mentions'], { mentions }, noted)).toBe(true)
  expect(notifies(['all'], { mentions }, noted)).toBe(true)
  expect(notifies(['mine'], { mentions, assignee_id: ME }, noted)).toBe(false)
  expect(notifies(['all'], { mentions }, { ...noted, id: 'another' })).toBe(false)
  expect(notifies(['all'], {}, noted)).toBe(false)
})
