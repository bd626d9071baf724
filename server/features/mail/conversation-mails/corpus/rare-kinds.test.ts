import { expect, test } from 'vitest'
import { bytesOf, mail, parts, read } from './reading.ts'

// Kinds of mails that the other files of this folder have only one of.

const QUESTION = 'Where is lamp 12?'
const AMP = 'Content-Type: text/x-amp-html\n\n<html amp4email><body>Other words</body></html>'
const TEXT = `Content-Type: text/plain\n\n${QUESTION}`
const HTML = `Content-Type: text/html\n\n<p>${QUESTION}</p>`
const page = (html: string) => mail(html, 'Content-Type: text/html; charset=utf-8')
const from = (sender: string) => mail(QUESTION, '', `From: ${sender}\nTo: help@lamps.test\nSubject: Lamp 12`)
const named = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) => `Content-Type: image/png; name=${name}${at}.png\n\nx`)
const inside = named(60, 'p')
  .map((part) => `--in\n${part}\n`)
  .join('')

const RARE: Record<string, [raw: Buffer, meant: object]> = {
  'quotations of other things in a list': [
    page('<ol><li>It says <blockquote>Error 7</blockquote></li><li>then <blockquote>Error 8</blockquote></li></ol>'),
    { text: expect.stringMatching(/It says\s+Error 7\s+2\. then\s+Error 8/) },
  ],
  'two quotations between its sentences': [
    page('<p>First:</p><blockquote><p>Lamp <b>dark</b></p></blockquote><p>Second:</p><blockquote>bright</blockquote>'),
    { text: 'First:\n\nLamp dark\n\nSecond:\n\nbright' },
  ],
  'nothing but a quotation': [page(`<blockquote>${QUESTION}</blockquote>`), { text: QUESTION }],
  'its type encoded in base64': [
    mail(
      `<p>${QUESTION}</p>`,
      `Content-Type: =?utf-8?B?${Buffer.from('text/html; charset=utf-8').toString('base64')}?=`,
    ),
    { text: QUESTION, isHtml: true },
  ],
  'the type of a part encoded': [
    mail(...parts('mixed', `Content-Type: =?us-ascii?Q?text=2Fplain?=\n\n${QUESTION}`, ...named(1, 'a'))),
    { text: QUESTION, files: ['a0.png'] },
  ],
  'its charset encoded': [
    mail(bytesOf('Grüße'), 'Content-Type: text/plain; charset="=?utf-8?Q?utf-8?="'),
    { text: 'Grüße' },
  ],
  'the address of somebody else before a comment': [
    from('jon@old.test (Ines Roth) <ines@home.test>'),
    { sender: 'ines@home.test' },
  ],
  'the address of somebody else inside the name': [
    from('"Ines (jon@old.test)" <ines@home.test>'),
    { sender: 'ines@home.test' },
  ],
  'the address of somebody else behind its own': [
    from('<ines@home.test> (for jon@old.test)'),
    { sender: 'ines@home.test' },
  ],
  'AMP between text and HTML': [mail(...parts('alternative', TEXT, AMP, HTML)), { text: QUESTION, files: [] }],
  'AMP beside HTML alone': [mail(...parts('alternative', AMP, HTML)), { text: QUESTION, isHtml: true, files: [] }],
  'HTML for watches': [
    mail(...parts('alternative', TEXT, 'Content-Type: text/watch-html\n\n<b>Other words</b>')),
    { text: QUESTION, files: [] },
  ],
  'an encoded address as the name of a picture': [
    mail(...parts('related', HTML, 'Content-Type: image/png\nContent-Location: pictures/lamp%20new.png\n\nx')),
    { files: ['lamp new.png'] },
  ],
  'a place on somebody’s disk as the name of a file': [
    mail(...parts('mixed', TEXT, 'Content-Type: application/pdf\nContent-Location: file:///C:/bills/may.pdf\n\nx')),
    { text: QUESTION, files: ['may.pdf'] },
  ],
  'a broken address as the name of a file': [
    mail(...parts('mixed', TEXT, 'Content-Type: image/png\nContent-Location: https://lamps.test/50%.png\n\nx')),
    { text: QUESTION, files: ['50%.png'] },
  ],
  'apostrophes and spaces around its charset': [
    mail(bytesOf('Grüße'), "Content-Type: text/plain; charset = 'UTF-8'; format='flowed'"),
    { text: 'Grüße' },
  ],
  'apostrophes around an older charset': [
    mail('Gr\xfc\xdfe', "Content-Type: text/plain; charset='iso-8859-1'"),
    { text: 'Grüße' },
  ],
  'seventy files below HTML': [
    mail(...parts('mixed', HTML, ...named(70, 'l'))),
    { text: expect.stringMatching(/^Where is lamp 12\?\n\n\(20 more files/), omitted: 20 },
  ],
  'sixty files in a part of their own before the text': [
    mail(...parts('mixed', `Content-Type: multipart/mixed; boundary=in\n\n${inside}--in--`, TEXT)),
    { text: expect.stringMatching(/^Where is lamp 12\?\n\n\(10 more files/), omitted: 10 },
  ],
  'far more lines than a message holds': [
    mail('The lamp is dark.\n'.repeat(5_000)),
    { text: expect.stringMatching(/^The lamp is dark\.\n/), files: ['message.txt'] },
  ],
  'far more HTML than a message holds': [
    page(`<p>${'The lamp is dark. '.repeat(5_000)}</p>`),
    { text: expect.stringMatching(/^The lamp is dark\. /), files: ['message.txt'] },
  ],
}

test.for(Object.entries(RARE))('a mail with %s is read as it was meant', async ([, [raw, meant]]) => {
  expect(await read(raw)).toMatchObject({ verdict: 'person', ...meant })
})
