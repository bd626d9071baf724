import { expect, test } from 'vitest'
import { answerSubject } from './compose.ts'

test.each([
  'Lamp 12',
  'Re: Lamp 12',
  'RE: AW: Lamp 12',
  'RES: Lamp 12',
  'TR: Re: Lamp 12',
  'Odp: Lamp 12',
  'VS: Lamp 12',
  'SV: VS: Lamp 12',
  'Re[2]: Lamp 12',
  'Re (3): Re^2: Lamp 12',
  'YNT: Lamp 12',
  '回复：Lamp 12',
  'Re：Lamp 12',
  'Trả lời: Fwd: Lamp 12',
])('the answer to “%s” has one prefix', (subject) => {
  expect(answerSubject(subject, 'Acme')).toBe('Re: Lamp 12')
})

test.each(['Reply: the lamp', 'Restaurant: lamps', 'Versand: Lamp 12', 'iPhone: Lamp 12'])(
  '“%s” has no prefix to remove',
  (subject) => {
    expect(answerSubject(subject, 'Acme')).toBe(`Re: ${subject}`)
  },
)
