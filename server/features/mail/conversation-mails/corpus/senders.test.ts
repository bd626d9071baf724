import { expect, test } from 'vitest'
import { readMail } from '../read-mail.ts'
import { bytesOf, mail, read } from './reading.ts'

const from = (header: string, others = '') =>
  mail('Where is lamp 12?', others, `From: ${header}\nTo: help@lamps.test\nSubject: Lamp 12`)

const FORMS: Record<string, [raw: Buffer, meant: object]> = {
  'a form that sends from our own address': [
    from('Website <help@lamps.test>', 'Reply-To: Ines Roth <ines@home.test>'),
    { sender: 'ines@home.test', answer_to: 'ines@home.test', verdict: 'person' },
  ],
  'a form that sends from an address nobody reads': [
    from('Shop <no-reply@forms.test>', 'Reply-To: ines@home.test'),
    { sender: 'ines@home.test', answer_to: 'ines@home.test', verdict: 'person' },
  ],
  'a form of a shop system, with our address first in Reply-To': [
    from('Shop <donotreply@forms.test>', 'Reply-To: help@lamps.test, Ines <ines@home.test>'),
    { sender: 'ines@home.test', verdict: 'person' },
  ],
  'a form that names nobody': [from('Website <help@lamps.test>'), { sender: 'help@lamps.test', verdict: 'own' }],
  'a group that rewrites the sender': [
    from(
      "'Ines Roth' via Help <help@lamps.test>",
      'X-Original-Sender: ines@home.test\nPrecedence: list\nList-ID: <help.lamps.test>',
    ),
    { sender: 'ines@home.test', verdict: 'person' },
  ],
  'a group that keeps the sender': [
    from(
      'Ines <ines@home.test>',
      'Precedence: list\nMailing-list: list help@lamps.test; contact help+owners@lamps.test\nList-ID: <help.lamps.test>',
    ),
    { sender: 'ines@home.test', verdict: 'person' },
  ],
  'a group that is somebody else’s': [
    from('Ines <ines@home.test>', 'List-ID: <lamps.groups.test>'),
    { sender: 'ines@home.test', verdict: 'list' },
  ],
  'a person with another address for answers, unproven': [
    from('Ines <ines@home.test>', 'Reply-To: ines@office.test'),
    { sender: 'ines@home.test', answer_to: 'ines@home.test', verdict: 'person' },
  ],
}

test.for(Object.entries(FORMS))('the author of %s is found', async ([, [raw, meant]]) => {
  expect(await read(raw)).toMatchObject(meant)
})

test('where only forms write, each Reply-To is an author', async () => {
  const raw = from('Web forms <web@forms.test>', 'Reply-To: ines@home.test')
  const arrival = { secretKey: '', own_addresses: new Set<string>(), recipients: [], takes_forms: true }
  const { sender } = await readMail(raw, arrival)
  expect(sender).toMatchObject({ address: { address: 'ines@home.test' }, isOfForm: true, result: 'none' })
})

const HEADERS: Record<string, [header: string, name: string | null]> = {
  'a comma in the name, without quotation marks': ['Roth, Ines <ines@home.test>', 'Roth, Ines'],
  'a comma in an encoded name': ['=?utf-8?Q?Roth=2C_Ines?= <ines@home.test>', 'Roth, Ines'],
  'an open quotation mark': ['"Ines Roth <ines@home.test>', 'Ines Roth'],
  'an open bracket': ['Ines Roth <ines@home.test', 'Ines Roth'],
  'apostrophes around the address': ["Ines <'ines@home.test'>", 'Ines'],
  'two pairs of brackets': ['Ines <<ines@home.test>>', 'Ines'],
  'mailto before the address': ['Ines <mailto:ines@home.test>', 'Ines'],
  'a route before the address': ['Ines <@relay.test:ines@home.test>', 'Ines'],
  'another address in a comment': ['(was jon@old.test) <ines@home.test>', 'was jon@old.test'],
  'another address as its name': ['"jon@old.test" <ines@home.test>', 'jon@old.test'],
  'raw UTF-8 in the name': [bytesOf('Inés <ines@home.test>'), 'Inés'],
  'raw Latin-1 in the name': ['In\xe9s <ines@home.test>', 'Inés'],
  'the address alone': ['ines@home.test', null],
}

test.for(Object.entries(HEADERS))('a sender with %s is read', async ([, [header, name]]) => {
  expect(await read(from(header))).toMatchObject({ sender: 'ines@home.test', name })
})
