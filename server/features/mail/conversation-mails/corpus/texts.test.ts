import { expect, test } from 'vitest'
import { bytesOf, mail, parts, read } from './reading.ts'

const UTF8 = 'Content-Type: text/plain; charset=utf-8'
const HTML = 'Content-Type: text/html; charset=utf-8'
const ANSWER = '\nIn-Reply-To: <1@lamps.test>'

const NEW: Record<string, string> = {
  'rules between its paragraphs': 'Hello,\n\nLamp 1.\n\n---\n\nLamp 2.\n\n=====\n\nLamp 3.',
  'underscores between its paragraphs': 'Lamp 1.\n____\nLamp 2.\n________________________________\nLamp 3.',
  'two dashes as a rule': 'Lamp 1 is dark.\n\n--\n\nLamp 2 is too bright.',
  'two dashes at its top': '-- \nInes\n\nWhere is lamp 12?',
  'a quotation of something else': 'The display says:\n> Error 7\nWhat should I do?',
  'a quotation at its end': 'The display says:\n\n> Error 7\n> Call us',
  'a quotation at its top': '> Error 7\n\nWhat does this mean?',
  'a line that ends like an attribution': 'This is what my wife wrote:\nthe lamp is dark.\nPlease help.',
  'a list of labels': 'From: Tallinn\nSent it to the wrong place.\nPlease help.',
  'a closing formula, and a postscript':
    'The lamp is dark.\n\nBest regards\nInes\n\nPS: Lamp 13 is dark, too. Please call me about it.',
  'the word cheers': 'I heard\ncheers\nwhen the lamp went on, and then it broke. Why?',
}

test.for(Object.entries(NEW))('a new mail with %s keeps all of its words', async ([, text]) => {
  expect(await read(mail(bytesOf(text), UTF8))).toMatchObject({ text })
})

const EARLIER: Record<string, string> = {
  English: 'On Mon, 5 Oct 2026 at 10:00, Lamp Help <help@lamps.test> wrote:\n> Try the switch.',
  'English, broken': 'On Mon, 5 Oct 2026 at 10:00,\nLamp Help <help@lamps.test> wrote:\n\n> Try the switch.',
  'English, name first': 'Lamp Help <help@lamps.test> wrote on 5 Oct 2026:\n> Try the switch.',
  German: 'Am Mo., 5. Okt. 2026 um 10:00 Uhr schrieb Lamp Help <help@lamps.test>:\n> Try the switch.',
  French: 'Le lun. 5 oct. 2026 à 10:00, Lamp Help <help@lamps.test> a écrit :\n> Try the switch.',
  Spanish: 'El lun, 5 oct 2026 a las 10:00, Lamp Help (<help@lamps.test>) escribió:\n> Try the switch.',
  Italian: 'Il giorno lun 5 ott 2026 alle ore 10:00 Lamp Help <help@lamps.test> ha scritto:\n> Try the switch.',
  Portuguese: 'Em seg., 5 de out. de 2026 às 10:00, Lamp Help <help@lamps.test> escreveu:\n> Try the switch.',
  Dutch: 'Op ma 5 okt 2026 om 10:00 schreef Lamp Help <help@lamps.test>:\n> Try the switch.',
  Polish: 'pon., 5 paź 2026 o 10:00 Lamp Help <help@lamps.test> napisał(a):\n> Try the switch.',
  Swedish: 'Den mån 5 okt. 2026 kl 10:00 skrev Lamp Help <help@lamps.test>:\n> Try the switch.',
  Finnish: 'ma 5. lokak. 2026 klo 10.00 Lamp Help (help@lamps.test) kirjoitti:\n> Try the switch.',
  Russian: 'пн, 5 окт. 2026 г. в 10:00, Lamp Help <help@lamps.test> написал:\n> Try the switch.',
  Czech: 'po 5. 10. 2026 v 10:00 odesílatel Lamp Help <help@lamps.test> napsal:\n> Try the switch.',
  Turkish: 'Lamp Help <help@lamps.test>, 5 Eki 2026 Pzt, 10:00 tarihinde şunu yazdı:\n> Try the switch.',
  Vietnamese: 'Vào Th 2, 5 thg 10, 2026 vào lúc 10:00 Lamp Help <help@lamps.test> đã viết:\n> Try the switch.',
  Japanese: '2026年10月5日(月) 10:00 Lamp Help <help@lamps.test>:\n> Try the switch.',
  Chinese: 'Lamp Help <help@lamps.test> 于2026年10月5日周一 10:00写道：\n> Try the switch.',
  Korean: '2026년 10월 5일 (월) 10:00, Lamp Help <help@lamps.test>님이 작성:\n> Try the switch.',
  'Outlook, English':
    '________________________________\nFrom: Lamp Help <help@lamps.test>\nSent: Monday, 5 October 2026\nTo: Ines\nSubject: Lamp 12\n\nTry the switch.',
  'Outlook, German':
    '-----Ursprüngliche Nachricht-----\nVon: Lamp Help\nGesendet: Montag, 5. Oktober 2026\nAn: Ines\nBetreff: Lamp 12\n\nTry the switch.',
  'Outlook, Swedish':
    'Från: Lamp Help <help@lamps.test>\nSkickat: den 5 oktober 2026\nTill: Ines\nÄmne: Lamp 12\n\nTry the switch.',
  'Outlook, Polish':
    'Od: Lamp Help <help@lamps.test>\nWysłano: poniedziałek\nDo: Ines\nTemat: Lamp 12\n\nTry the switch.',
  'Outlook, Russian': 'От: Lamp Help\nОтправлено: 5 октября 2026\nКому: Ines\nТема: Lamp 12\n\nTry the switch.',
  'Outlook, Chinese': '发件人: Lamp Help\n发送时间: 2026年10月5日\n收件人: Ines\n主题: Lamp 12\n\nTry the switch.',
  'a rule above the quotation': '----------\n> Try the switch.',
  'nothing above the quotation': '> Try the switch.\n> Bye',
}

test.for(Object.entries(EARLIER))('below an answer, an earlier message is left out: %s', async ([, below]) => {
  const body = bytesOf(`Thanks, it is bright again.\n\n${below}\n`)
  expect(await read(mail(body, `${UTF8}${ANSWER}`))).toMatchObject({ text: 'Thanks, it is bright again.' })
})

const SAME_LINE: Record<string, string> = {
  English: 'On Mon, 5 Oct 2026 at 10:00, Lamp Help <help@lamps.test> wrote:',
  German: 'Am 5. Okt. 2026 um 10:00 Uhr hat Lamp Help geschrieben, schrieb:',
  French: 'Le lun. 5 oct. 2026 à 10:00, Lamp Help <help@lamps.test> a écrit :',
}

test.for(Object.entries(SAME_LINE))('the attribution on the line of the answer is left out: %s', async ([, line]) => {
  const body = bytesOf(`Thanks, that helped. ${line}\n> Try the switch.\n`)
  expect(await read(mail(body, `${UTF8}${ANSWER}`))).toMatchObject({ text: 'Thanks, that helped.' })
})

test('answers between quoted lines keep what they answer', async () => {
  const text = '> Is it dark?\nYes.\n> Is it new?\nNo.'
  expect(await read(mail(text, `${UTF8}${ANSWER}`))).toMatchObject({ text })
})

const PAGES: Record<string, [html: string, text: string]> = {
  'a quotation in a new mail': [
    '<p>It says:</p><blockquote>Error 7</blockquote><p>What now?</p>',
    'It says:\n\nError 7\n\nWhat now?',
  ],
  'a table': [
    '<table><tr><th>Lamp</th><th>Price</th></tr><tr><td>12</td><td>EUR 5</td></tr></table>',
    'Lamp Price\n12 EUR 5',
  ],
  'a table in cells of a table': [
    '<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td><td>c</td></tr></table>',
    'a b\n\nc',
  ],
  'paragraphs in cells': ['<table><tr><td><p>Lamp</p></td><td><p>12</p></td></tr></table>', 'Lamp\n\n12'],
}

test.for(Object.entries(PAGES))('HTML with %s is read with all of its words', async ([, [html, text]]) => {
  expect(await read(mail(html, HTML))).toMatchObject({ text, isHtml: true })
})

test('a plain quotation in an answer is an earlier message', async () => {
  const html = '<p>Thanks.</p><p>On 5 Oct 2026, Lamp Help wrote:</p><blockquote>Try the switch.</blockquote>'
  expect(await read(mail(html, `${HTML}${ANSWER}`))).toMatchObject({ text: 'Thanks.' })
})

const TEXTS: Record<string, [text: string, html: string, isHtml: boolean]> = {
  'asks for another program': [
    'Your program cannot show HTML. Please use another one.',
    '<p>Where is lamp 12?</p>',
    true,
  ],
  'is a link to a page': [
    'View this mail in your browser: https://mails.test/12',
    '<p>Where is lamp 12? I have waited for weeks.</p>',
    true,
  ],
  'is blank': ['\xa0 ', '<p>Where is lamp 12?</p>', true],
  'has only a few of its words': [
    'Lamp',
    '<p>Lamp 12 is dark, and nobody has answered my three mails since May.</p>',
    true,
  ],
  'has its words': ['Where is lamp 12?', '<p>Where is <b>lamp 12</b>?</p>', false],
}

test.for(Object.entries(TEXTS))(
  'of a mail whose text %s, the right form is shown',
  async ([, [text, html, isHtml]]) => {
    const [body, headers] = parts(
      'alternative',
      `Content-Type: text/plain; charset=utf-8\n\n${text}`,
      `${HTML}\n\n${html}`,
    )
    const meant = isHtml ? html.replace(/<[^>]+>/g, '') : text
    expect(await read(mail(body, headers))).toMatchObject({ text: meant, isHtml })
  },
)

test('of a text that is too long for a message, the whole is kept as a file', async () => {
  const whole = 'Lamp 12 is dark. '.repeat(10_000)
  const { text, files, contents } = await read(mail(whole, UTF8))
  expect({ length: text.length, end: text.at(-1), files }).toEqual({ length: 50_000, end: '…', files: ['message.txt'] })
  expect(contents[0]!.trim()).toBe(whole.trim())
})

test('a text of format=flowed is joined where its program has broken it', async () => {
  const body = 'Lamp 12 is \ndark. \n> Is it \n> new?\n-- \nInes'
  expect(await read(mail(body, 'Content-Type: text/plain; format=flowed'))).toMatchObject({
    text: 'Lamp 12 is dark. \n> Is it new?',
  })
})

test('of a mail with more elements than any person or program makes, the beginning is shown, and its end says so', async () => {
  const { text } = await read(mail(`The lamp is dark.${'<p>'.repeat(60_000)}Please help.`, HTML))
  expect(text).toMatch(/^The lamp is dark\.[\s…]*…$/)
  const table = `<table>${'<tr><td>lamp<td>12'.repeat(5_000)}</table>Please help.`
  expect((await read(mail(table, HTML))).text).toMatch(/Please help\.$/)
})
