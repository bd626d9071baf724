import { expect, test } from 'vitest'
import { translate } from './translate.ts'

test('Hebrew and Arabic names are kept together in the sentences of mails and notifications', () => {
  expect(translate('en', 'message_subject_both', { name: 'ליאור', email: 'lior@home.test' })).toBe(
    '\u2068ליאור\u2069 (lior@home.test) has sent you a message',
  )
  expect(translate('de', 'push_mention', { name: 'ليلى' })).toContain('\u2068ليلى\u2069')
  expect(translate('en', 'help_no_results', { query: 'منارة' })).toContain('“\u2068منارة\u2069”')
})

test('other names, and addresses, have no marks', () => {
  expect(translate('en', 'mention_text', { name: 'Ben', customer: 'Zoë' })).toBe(
    'Ben mentioned you in a conversation with Zoë.',
  )
  expect(translate('en', 'forwarding_test_text', { address: 'שלום@home.test' })).not.toContain('\u2068')
})
