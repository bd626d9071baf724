import { expect, test } from 'vitest'
import { bytesOf, mail, parts, read } from './reading.ts'

const PLAIN = 'Content-Type: text/plain\n\nLamp 12 is dark.'
const PDF = 'Content-Type: application/pdf; name=bill.pdf\nContent-Transfer-Encoding: base64\n\nJVBERg=='
const WORDS = { text: 'Lamp 12 is dark.', verdict: 'person', sender: 'ines@home.test' }
const BODY = 'Lamp 12 is dark.'
const withPart = (part: string) => mail(...parts('mixed', PLAIN, part))

const BROKEN: Record<string, [raw: Buffer, meant: object]> = {
  'its boundary in other letters': [
    mail(`--PART\n${PLAIN}\n--PART\n${PDF}\n--PART--`, 'Content-Type: multipart/mixed; boundary=part'),
    { ...WORDS, files: ['bill.pdf'] },
  ],
  'no boundary named': [mail(`--b\n${PLAIN}\n--b--`, 'Content-Type: multipart/alternative'), WORDS],
  'a boundary that never comes': [mail(BODY, 'Content-Type: multipart/mixed; boundary=b'), WORDS],
  'no semicolon before the boundary': [
    mail(`--b\n${PLAIN}\n--b\n${PDF}\n--b--`, 'Content-Type: multipart/mixed boundary="b"'),
    { ...WORDS, files: ['bill.pdf'] },
  ],
  'the kind multipart only': [mail(`--b\n${PLAIN}\n--b--`, 'Content-Type: multipart; boundary=b'), WORDS],
  'a boundary under another type': [mail(`--b\n${PLAIN}\n--b--`, 'Content-Type: message/mixed; boundary=b'), WORDS],
  'parts but no header about them': [mail(`--b\n${PLAIN}\n--b--`), WORDS],
  'no last boundary': [mail(`--b\n${PLAIN}\n`, 'Content-Type: multipart/mixed; boundary=b'), WORDS],
  'text only before the first part': [
    mail(`${BODY}\n--b\n${PDF}\n--b--`, 'Content-Type: multipart/mixed; boundary=b'),
    { ...WORDS, files: ['bill.pdf'] },
  ],
  'a part without an empty line': [mail(`--b\n${BODY}\n--b--`, 'Content-Type: multipart/mixed; boundary=b'), WORDS],
  'the type text': [mail(BODY, 'Content-Type: text'), WORDS],
  'a type without semicolon': [mail(BODY, 'Content-Type: text/plain charset=us-ascii'), WORDS],
  'a type with a comma': [mail(BODY, 'Content-Type: text/plain, charset=us-ascii'), WORDS],
  'an empty type': [mail(BODY, 'Content-Type: '), WORDS],
  'an encoded type': [mail(`<p>${BODY}</p>`, 'Content-Type: =?utf-8?Q?text/html=3B_charset=3Dutf-8?='), WORDS],
  'an empty line before its headers': [Buffer.concat([Buffer.from('\r\n'), mail(BODY)]), WORDS],
  'a byte order mark before its headers': [Buffer.concat([Buffer.from('\ufeff'), mail(BODY)]), WORDS],
  'a line of a mailbox file before its headers': [
    Buffer.concat([Buffer.from('From ines@home.test Mon Oct  5 10:00:00 2026\n'), mail(BODY)]),
    WORDS,
  ],
  'a line of spaces between its headers': [mail(BODY, ' \nX-Mailer: old'), WORDS],
  'a header broken without indent': [mail(BODY, 'X-Long: one two\nthree four\nX-Mailer: old'), WORDS],
  'only carriage returns': [Buffer.from(mail(BODY).toString('latin1').replaceAll('\r\n', '\r'), 'latin1'), WORDS],
  'an unknown encoding': [mail(BODY, 'Content-Transfer-Encoding: eight-bit'), WORDS],
  'plain words under base64': [mail(BODY, 'Content-Transfer-Encoding: base64'), WORDS],
  'one plain word under base64': [mail('Hello', 'Content-Transfer-Encoding: base64'), { text: 'Hello' }],
  'lines of a list below base64': [
    mail(`${Buffer.from(`${BODY}\n`).toString('base64')}\nTo leave: ask us.`, 'Content-Transfer-Encoding: base64'),
    { text: `${BODY}\nTo leave: ask us.` },
  ],
  'several encoded pieces': [
    mail(
      `${Buffer.from('Lamp 12 ').toString('base64')}\n${Buffer.from('is dark.').toString('base64')}`,
      'Content-Transfer-Encoding: base64',
    ),
    WORDS,
  ],
  'wrong sequences in quoted-printable': [
    mail('50% =ZZ is =\n dark= \n.', 'Content-Transfer-Encoding: quoted-printable'),
    { text: '50% =ZZ is  dark.' },
  ],
  'parts nested thirty times': [mail(nested(30), 'Content-Type: multipart/mixed; boundary=e0'), { verdict: 'person' }],
  'text before HTML that is a signature': [
    mail(...parts('mixed', PLAIN, 'Content-Type: text/html\n\n<p>Ines Roth</p>')),
    { text: `${BODY}\n\nInes Roth` },
  ],
  'two texts around a picture': [
    mail(
      ...parts('mixed', PLAIN, 'Content-Type: image/png; name=a.png\n\nx', 'Content-Type: text/plain\n\nLamp 13, too.'),
    ),
    { text: `${BODY}\n\nLamp 13, too.`, files: ['a.png'] },
  ],
}

function nested(depth: number): string {
  const level = (at: number): string =>
    at === depth
      ? `--e${at}\n${PLAIN}\n--e${at}--\n`
      : `--e${at}\nContent-Type: multipart/mixed; boundary=e${at + 1}\n\n${level(at + 1)}--e${at}--\n`
  return level(0)
}

test.for(Object.entries(BROKEN))('a mail with %s is read with its words', async ([, [raw, meant]]) => {
  expect(await read(raw)).toMatchObject(meant)
})

const NAMES: Record<string, [part: string, filename: string]> = {
  'spaces without quotation marks': [
    'Content-Disposition: attachment; filename=Bill of May (new).pdf',
    'Bill of May (new).pdf',
  ],
  'spaces, and a size': ['Content-Disposition: attachment; filename=Bill of May.pdf size=12', 'Bill of May.pdf'],
  'brackets and a semicolon': ['Content-Disposition: attachment; filename="a;b [1].pdf"', 'a;b [1].pdf'],
  'raw UTF-8': [`Content-Disposition: attachment; filename="${bytesOf('Größe.pdf')}"`, 'Größe.pdf'],
  'raw Latin-1': ['Content-Disposition: attachment; filename="Gr\xf6\xdfe.pdf"', 'Größe.pdf'],
  'an encoded word': ['Content-Type: image/png; name="=?utf-8?Q?Gr=C3=B6=C3=9Fe.png?="', 'Größe.png'],
  'percent signs of a charset': ["Content-Disposition: attachment; filename*=iso-8859-1''Gr%F6%DFe.pdf", 'Größe.pdf'],
  'pieces, some encoded': [
    'Content-Disposition: attachment; filename*0*=utf-8\'\'Gr%C3%B6; filename*1*=%C3%9Fe; filename*2=".pdf"',
    'Größe.pdf',
  ],
  'pieces in the wrong order': ['Content-Disposition: attachment; filename*1="b.pdf"; filename*0="a"', 'ab.pdf'],
  'a folder of Windows': ['Content-Disposition: attachment; filename="C:\\new\\bill.pdf"', 'C:\\new\\bill.pdf'],
  'an address instead of a name': [
    'Content-Type: image/png\nContent-Location: https://lamps.test/img/lamp.png?v=2',
    'lamp.png',
  ],
  'marks that reverse it': [`Content-Disposition: attachment; filename*=utf-8''lamp%E2%80%AEgnp.exe`, 'lampgnp.exe'],
  'a text shown inline': [
    'Content-Type: text/plain; name=start.log\nContent-Disposition: inline; filename=start.log',
    'start.log',
  ],
  'a text that says nothing about itself': ['Content-Type: text/plain; name="notes.txt"', 'notes.txt'],
}

test.for(Object.entries(NAMES))(
  'a file whose name has %s keeps it, beside the text',
  async ([, [headers, filename]]) => {
    expect(await read(withPart(`${headers}\n\nx`))).toMatchObject({ text: BODY, files: [filename] })
  },
)

test('a text with a name is the text of a mail that has no other', async () => {
  const [body, headers] = parts('mixed', 'Content-Type: text/plain; name=mail.txt\n\nLamp 12 is dark.')
  expect(await read(mail(body, headers))).toMatchObject({ text: BODY })
})

test('of 120 files, fifty and the text are kept, and how many are missing is said', async () => {
  const files = Array.from(
    { length: 120 },
    (_, at) => `Content-Disposition: attachment; filename=${at}.log\n\nline ${at}`,
  )
  const { text, files: names, omitted } = await read(mail(...parts('mixed', PLAIN, ...files)))
  expect({ count: names.length, omitted }).toEqual({ count: 50, omitted: 70 })
  expect(text).toBe(`${BODY}\n\n(70 more files of this mail are not shown.)`)
})

test('of two thousand parts, the text is read', async () => {
  expect(await read(mail(...parts('mixed', PLAIN, ...Array<string>(2_000).fill('X: y\n\nx'))))).toMatchObject({
    text: expect.stringContaining(BODY),
  })
})
