import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bytesOf, mail, parts, read } from './reading.ts'

/** An attribute of a `winmail.dat`. */
function attribute(level: 1 | 2, id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUInt8(level)
  head.writeUInt32LE(id, 1)
  head.writeUInt32LE(data.length, 5)
  const sum = Buffer.alloc(2)
  sum.writeUInt16LE(data.reduce((total, byte) => (total + byte) & 0xffff, 0))
  return Buffer.concat([head, data, sum])
}

/** Properties of variable length: type, id, value. */
function properties(...all: [type: number, id: number, value: Buffer][]): Buffer {
  const number = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const each = all.flatMap(([type, id, value]) => [
    number(((id << 16) | type) >>> 0),
    number(1),
    number(value.length),
    Buffer.concat([value, Buffer.alloc((4 - (value.length % 4)) % 4)]),
  ])
  return Buffer.concat([number(all.length), ...each])
}

const winmail = (...attributes: Buffer[]) =>
  Buffer.concat([Buffer.from('789f3e22 0100'.replace(' ', ''), 'hex'), ...attributes])
const TEXT = 0x1e
const UNICODE = 0x1f
const BINARY = 0x102

/** RTF as Outlook stores it, not compressed. */
function rtf(text: string): Buffer {
  const head = Buffer.alloc(16)
  head.writeUInt32LE(text.length + 12)
  head.writeUInt32LE(text.length, 4)
  head.write('MELA', 8, 'latin1')
  return Buffer.concat([head, Buffer.from(text, 'latin1')])
}

const FILE = [
  attribute(2, 0x00069002, Buffer.alloc(14)),
  attribute(2, 0x00018010, Buffer.from('BILL~1.PDF\0')),
  attribute(2, 0x0006800f, Buffer.from('JVBER')),
  attribute(2, 0x00069005, properties([UNICODE, 0x3707, Buffer.from('Größe.pdf\0', 'utf16le')])),
]
const WINMAILS: Record<string, [bytes: Buffer, meant: object]> = {
  'a text and a file': [
    winmail(attribute(1, 0x0002800c, Buffer.from('Lamp 12 is dark.\0')), ...FILE),
    { text: 'Lamp 12 is dark.', files: ['Größe.pdf'], contents: ['JVBER'] },
  ],
  HTML: [
    winmail(attribute(1, 0x00069003, properties([BINARY, 0x1013, Buffer.from('<p>Lamp 12<br>is dark.</p>')]))),
    { text: 'Lamp 12\nis dark.', isHtml: true },
  ],
  'a text in another charset': [
    winmail(
      attribute(1, 0x00069007, Buffer.from('e304000000000000', 'hex')),
      attribute(1, 0x00069003, properties([TEXT, 0x1000, Buffer.from('cbe0ecefe0', 'hex')])),
    ),
    { text: 'Лампа' },
  ],
  'rich text': [
    winmail(
      attribute(
        1,
        0x00069003,
        properties([
          BINARY,
          0x1009,
          rtf("{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}Gr\\'fc\\'dfe,\\par \\u321?amp 12\\par}"),
        ]),
      ),
    ),
    { text: 'Grüße,\nŁamp 12' },
  ],
  'HTML inside rich text': [
    winmail(
      attribute(
        1,
        0x00069003,
        properties([
          BINARY,
          0x1009,
          rtf(
            '{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 Lamp 12\\htmlrtf }\\htmlrtf0 {\\*\\htmltag72 </p>}}',
          ),
        ]),
      ),
    ),
    { text: 'Lamp 12', isHtml: true },
  ],
  'a file that is cut off': [
    winmail(...FILE, attribute(2, 0x00069002, Buffer.alloc(14))).subarray(0, -8),
    { files: ['Größe.pdf'] },
  ],
}

test.for(Object.entries(WINMAILS))('a winmail.dat with %s is unpacked', async ([, [bytes, meant]]) => {
  const part = `Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n${bytes.toString('base64')}`
  expect(await read(mail(...parts('mixed', 'Content-Type: text/plain\n\n', part)))).toMatchObject({
    verdict: 'person',
    ...meant,
  })
})

test('a winmail.dat that is none stays a file', async () => {
  const part = 'Content-Type: application/ms-tnef; name=winmail.dat\n\nsomething else'
  expect(await read(mail(...parts('mixed', 'Content-Type: text/plain\n\nSee file', part)))).toMatchObject({
    text: 'See file',
    files: ['winmail.dat'],
  })
})

/** An element in DER. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
/** The same without lengths, as programs write that do not know them yet. */
const endless = (tag: number, ...contents: Buffer[]) =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...contents, Buffer.alloc(2)])
const oid = (hex: string) => der(6, Buffer.from(hex, 'hex'))
const SIGNED = oid('2a864886f70d010702')
const DATA = oid('2a864886f70d010701')
const INNER = Buffer.from('Content-Type: text/plain; charset=utf-8\r\n\r\nLamp 12 ist für Grüße dunkel.\r\n')
const signed = (content: Buffer) =>
  der(
    0x30,
    SIGNED,
    der(0xa0, der(0x30, der(2, Buffer.from([1])), der(0x31), der(0x30, DATA, der(0xa0, content)), der(0x31))),
  )
const inPieces = endless(
  0x30,
  SIGNED,
  endless(
    0xa0,
    endless(
      0x30,
      der(2, Buffer.from([1])),
      der(0x31),
      endless(0x30, DATA, endless(0xa0, endless(0x24, der(4, INNER.subarray(0, 50)), der(4, INNER.subarray(50))))),
    ),
  ),
)
const compressed = der(
  0x30,
  oid('2a864886f70d0109100109'),
  der(0xa0, der(0x30, der(2, Buffer.from([0])), der(0x30), der(0x30, DATA, der(0xa0, der(4, deflateSync(INNER)))))),
)
const SMIME: Record<string, [bytes: Buffer, meant: object]> = {
  signed: [signed(der(4, INNER)), { text: 'Lamp 12 ist für Grüße dunkel.', files: [] }],
  'signed in pieces without lengths': [inPieces, { text: 'Lamp 12 ist für Grüße dunkel.', files: [] }],
  'signed twice': [
    signed(
      der(
        4,
        Buffer.from(
          `Content-Type: application/pkcs7-mime; smime-type=signed-data\r\nContent-Transfer-Encoding: base64\r\n\r\n${signed(der(4, INNER)).toString('base64')}\r\n`,
        ),
      ),
    ),
    { text: 'Lamp 12 ist für Grüße dunkel.' },
  ],
  compressed: [compressed, { text: 'Lamp 12 ist für Grüße dunkel.' }],
  encrypted: [
    der(0x30, oid('2a864886f70d010703'), der(0xa0, der(0x30, der(2, Buffer.from([0]))))),
    { text: expect.stringMatching(/^This mail is encrypted, .* without encryption\.$/), files: ['smime.p7m'] },
  ],
  damaged: [signed(der(4, INNER)).subarray(0, 20), { files: ['smime.p7m'] }],
}

test.for(Object.entries(SMIME))(
  'a mail in S/MIME that is %s is shown as far as it can be',
  async ([, [bytes, meant]]) => {
    const headers = 'Content-Type: application/pkcs7-mime; name=smime.p7m\nContent-Transfer-Encoding: base64'
    expect(await read(mail(bytes.toString('base64'), headers))).toMatchObject({ verdict: 'person', ...meant })
  },
)

test('a mail encrypted with PGP says so', async () => {
  const [body, headers] = parts(
    'encrypted',
    'Content-Type: application/pgp-encrypted\n\nVersion: 1',
    'Content-Type: application/octet-stream; name=encrypted.asc\n\n-----BEGIN PGP MESSAGE-----',
  )
  expect(await read(mail(body, headers))).toMatchObject({ text: expect.stringMatching(/^This mail is encrypted/) })
})

const calendar = (method: string, ...lines: string[]) =>
  ['BEGIN:VCALENDAR', `METHOD:${method}`, 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\n')
const CALENDARS: Record<string, [calendar: string, text: string]> = {
  'an invitation': [
    calendar(
      'REQUEST',
      'DTSTART;TZID=Europe/Tallinn:20261008T120000',
      'DTEND;TZID=Europe/Tallinn:20261008T123000',
      'SUMMARY:Lamp 12\\, repair',
      'LOCATION:Shop',
      'ORGANIZER;CN="Ines Roth":mailto:ines@home.test',
      'DESCRIPTION:Bring the\\nbulb',
    ),
    'Invitation: Lamp 12, repair\nWhen: 8 October 2026, 12:00 (Europe/Tallinn) – 8 October 2026, 12:30 (Europe/Tallinn)\nWhere: Shop\nFrom: Ines Roth (ines@home.test)\n\nBring the\nbulb',
  ],
  'a whole day, repeated': [
    calendar('PUBLISH', 'DTSTART;VALUE=DATE:20261008', 'RRULE:FREQ=DAILY', 'SUMMARY:Sale'),
    'Invitation: Sale\nWhen: 8 October 2026, repeated',
  ],
  'a cancellation': [
    calendar('CANCEL', 'DTSTART:20261008T120000Z', 'SUMMARY:Visit'),
    'Cancelled: Visit\nWhen: 8 October 2026, 12:00 UTC',
  ],
  'an answer': [
    calendar(
      'REPLY',
      'SUMMARY:Visit',
      'ATTENDEE;PARTSTAT=DECLINED;CN=Ines:mailto:ines@home.test',
      'ORGANIZER:mailto:help@lamps.test',
    ),
    'Answer: Visit\nInes (ines@home.test) declines',
  ],
}

test.for(Object.entries(CALENDARS))(
  'of a mail that is only %s of a calendar, the message is its words',
  async ([, [body, text]]) => {
    expect(await read(mail(bytesOf(body), 'Content-Type: text/calendar; charset=utf-8'))).toMatchObject({
      text,
      files: ['invitation.ics'],
    })
  },
)

test('an invitation that comes as text and as a file is one file', async () => {
  const entry = calendar('REQUEST', 'SUMMARY:Visit')
  const [body, headers] = parts(
    'mixed',
    `Content-Type: text/plain\n\nPlease come.`,
    `Content-Type: text/calendar\n\n${entry}`,
    `Content-Type: application/ics; name=invite.ics\nContent-Disposition: attachment\n\n${entry}`,
  )
  expect(await read(mail(body, headers))).toMatchObject({ text: 'Please come.', files: ['invitation.ics'] })
})

const UU = 'begin 644 note.txt\n#0V%T\n`\nend\n'
const OLD: Record<string, [body: string, headers: string, meant: object]> = {
  'a file in uuencode below the text': [
    `See the file.\n\n${UU}`,
    '',
    { text: 'See the file.', files: ['note.txt'], contents: ['Cat'] },
  ],
  'a file in uuencode between two texts': [`See\n${UU}Bye`, '', { text: 'See\nBye', files: ['note.txt'] }],
  'the word begin in a sentence': ['begin 100 lamps\nand so on', '', { text: 'begin 100 lamps\nand so on', files: [] }],
  'a part in uuencode': [UU, 'Content-Transfer-Encoding: x-uuencode', { files: ['note.txt'], contents: ['Cat'] }],
  'text/enriched alone': [
    '<bold>Lamp 12</bold> is\ndark.\n\nBye',
    'Content-Type: text/enriched',
    { text: 'Lamp 12 is dark.\nBye' },
  ],
  'text/richtext alone': ['Lamp<nl>12', 'Content-Type: text/richtext', { text: 'Lamp\n12' }],
}

test.for(Object.entries(OLD))('a mail with %s is read', async ([, [body, headers, meant]]) => {
  expect(await read(mail(body, headers))).toMatchObject(meant)
})

test('of a mail with HTML for mobile pages beside its text, only the text is shown', async () => {
  const [body, headers] = parts(
    'alternative',
    'Content-Type: text/plain\n\nLamp 12',
    'Content-Type: text/x-amp-html\n\n<html amp4email>',
    'Content-Type: text/html\n\n<p>Lamp 12</p>',
  )
  expect(await read(mail(body, headers))).toMatchObject({ text: 'Lamp 12', files: [] })
})
