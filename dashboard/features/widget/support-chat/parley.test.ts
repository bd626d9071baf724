import { expect, test } from 'vitest'
import type { Account } from '#contract/accounts/accounts.ts'
import { describeUser, isSettingUpChat } from './parley.ts'

const ada = { id: 7, email: 'ada@acme.test', role: 'admin' as const, account_id: 'acme' }
const account = {
  id: 'acme',
  company_name: 'Acme',
  subscription_plan: 'team',
  users: [] as Account['users'],
} as Account

test('who asks for help is known by an external id, e-mail, company, plan and edition', () => {
  expect(describeUser(ada, account)).toEqual({
    external_id: 'acme:7',
    email: 'ada@acme.test',
    metadata: { company_name: 'Acme', subscription_plan: 'team', edition: 'US' },
  })
})

test('the support chat is hidden where a chat widget is being set up', () => {
  expect(['/inboxes/1/chat-widget', '/widget/1', '/settings/chat-widget'].map(isSettingUpChat)).toEqual([
    true,
    true,
    true,
  ])
  expect(['/inboxes/1', '/inboxes/1/conversations', '/widget'].map(isSettingUpChat)).toEqual([false, false, false])
})
