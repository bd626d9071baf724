import { expect, test } from 'vitest'
import type { VisitorMessage } from '#contract/conversations/messages.ts'
import { listChoices } from './choices.ts'

const message = (more: Partial<VisitorMessage>) =>
  ({ customer_id: null, metadata: null, template: null, ...more }) as VisitorMessage

test('suggestions of the settings are separated by commas and offered before the first message', () => {
  const appearance = { quickReplyOptions: ' Prices,, Opening hours ,Prices، الأسعار' }
  expect(listChoices(appearance, []).map(({ text }) => text)).toEqual(['Prices', 'Opening hours', 'الأسعار'])
  expect(listChoices(appearance, [message({})])).toEqual([])
})

test('only the newest message of the team offers answers, each with text and action', () => {
  const quick_replies = [{ text: 'Yes', action: 'yes' }, { text: 'No' }, 'x', null, { text: ' ', action: 'a' }]
  const offer = message({ metadata: { quick_replies } })
  expect(listChoices({}, [offer])).toEqual([{ text: 'Yes', action: 'yes' }])
  expect(listChoices({}, [offer, message({ customer_id: 'c' })])).toEqual([])
  expect(listChoices({}, [message({ metadata: { quick_replies: 'nonsense' } })])).toEqual([])
})

test('a template’s buttons answer with their text', () => {
  const template = { buttons: [{ text: 'By post' }] }
  expect(listChoices({}, [message({ template })])).toEqual([{ text: 'By post', action: 'By post' }])
})
