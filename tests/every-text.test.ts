import { parseDocument } from 'htmlparser2'
import { expect, test } from 'vitest'
import { drawBlocks } from '#contract/text/elements.ts'
import { parseMessage, type Written } from '#contract/text/markdown.ts'
import { plainText } from '#contract/text/plain.ts'
import { quoteBelow, writeAnswer } from '#server/features/mail/conversation-mails/compose.ts'
import { renderHtml } from '#server/features/mail/mails/mail-templates.ts'
import { messageToHtml } from '#server/features/mail/mails/message-html.ts'
import { toMrkdwn } from '#server/integrations/slack/format.ts'
import { collapseSpaces, type Meaning, readMrkdwn } from '#tests/support/meaning.ts'

interface Node {
  name: string
  href: string
  children: (Node | string)[]
}

const BLOCKS = ['p', 'li', 'ul', 'ol', 'pre', 'blockquote', 'br', 'div']

function textOf(node: Node | string): string {
  if (typeof node === 'string') return node
  const text = node.children.map(textOf).join('')
  return BLOCKS.includes(node.name) ? `\n${text}\n` : text
}

function listAll(node: Node | string, name: string): Node[] {
  if (typeof node === 'string') return []
  return [...(node.name === name ? [node] : []), ...node.children.flatMap((child) => listAll(child, name))]
}

function meaningOf(root: Node): Meaning {
  const all = (name: string) => listAll(root, name)
  return {
    text: collapseSpaces(textOf(root)),
    links: all('a').map(({ href }) => href),
    strong: all('strong').map((node) => collapseSpaces(textOf(node))),
    code: all('code').map((node) => collapseSpaces(textOf(node))),
  }
}

/** The dashboard and the chat draw the same elements, with React's and with Preact's function. */
function onScreen(message: Written): Meaning {
  const children = drawBlocks<Node>(
    parseMessage(message),
    (name, props, ...children) => ({ name, href: String(props?.href), children }),
    (text) => text,
  )
  return meaningOf({ name: 'div', href: '', children })
}

type Parsed = ReturnType<typeof parseDocument>['children'][number]

function readHtml(parsed: Parsed): Node | string {
  if ('data' in parsed) return parsed.data
  if (!('children' in parsed)) return ''
  const { name = '', attribs = {} } = parsed as { name?: string; attribs?: Record<string, string> }
  return { name, href: attribs.href ?? '', children: parsed.children.map((child) => readHtml(child as Parsed)) }
}

function inMail(message: Written): Meaning {
  const children = parseDocument(messageToHtml(message)).children.map((child) => readHtml(child))
  return meaningOf({ name: 'div', href: '', children })
}

function inSlack(message: Written): Meaning {
  return readMrkdwn(toMrkdwn(message))
}

/** Words of a text without formatting, and of a link its address, for mails without HTML and for SMS. */
function asPlain(message: Written): Pick<Meaning, 'text' | 'links'> {
  const links: string[] = []
  const text = plainText(message)
    .replace(/ \((https?:\/\/\S+|[\w.]+@[\w.]+)\)(?=[\s.,!?]|$)/g, (_, href: string) => {
      links.push(href)
      return ''
    })
    .replace(/^ *(?:- |\d+\. )+/gm, '')
  return { text: collapseSpaces(text), links }
}

const TEAM = { customer_id: null }
const CUSTOMER = { customer_id: 'c' }
const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(12)

const none = { links: [], strong: [], code: [] }
const same = (body: string): [string, Meaning] => [body, { ...none, text: collapseSpaces(body) }]

/** By name: the text as it is written, and its meaning. */
const OF_TEAM: Record<string, [body: string, meaning: Meaning]> = {
  marks: ['**Three** are _here_, ~~four~~ *five*', { ...none, text: 'Three are here, four five', strong: ['Three'] }],
  'a heading': ['# Opening hours\nFrom nine', { ...none, text: 'Opening hours From nine', strong: ['Opening hours'] }],
  'a list': ['To do:\n- first\n- **second**', { ...none, text: 'To do: first second', strong: ['second'] }],
  'a numbered list': ['2. second\n3. third', { ...none, text: 'second third' }],
  'a quotation': ['> You wrote this.\n\nYes.', { ...none, text: 'You wrote this. Yes.' }],
  'code in a line': ['run `pip  install` now', { ...none, text: 'run pip install now', code: ['pip install'] }],
  'a block of code': [
    'So:\n```py\nif a < b:\n    **x** = "&"\n```\nDone',
    { ...none, text: 'So: if a < b: **x** = "&" Done', code: ['if a < b: **x** = "&"'] },
  ],
  'a named link': [
    'See [our shop](https://shop.example/a?b=1&c=2).',
    { ...none, text: 'See our shop.', links: ['https://shop.example/a?b=1&c=2'] },
  ],
  'what looks like HTML': same('<b>no</b> &amp; <script>alert(1)</script>'),
  'a call to everybody in Slack': same('<!channel> and <@U123> and @here'),
  'names of programs': same('python __init__.py and snake_case, 2 * 3 * 4'),
  'emoji of several characters': same('👩‍👩‍👧‍👦 🇩🇪 👍🏽 ❤️‍🔥'),
  Arabic: same('مرحبا، الطلب رقم 42 جاهز'),
  'bold Hebrew': ['**שלום** לכולם', { ...none, text: 'שלום לכולם', strong: ['שלום'] }],
  Thai: same('สวัสดีครับ ผมอยากคืนสินค้าที่ซื้อเมื่อวาน'),
  'Vietnamese in parts': same('Chào bạn, đơn hàng đã sẵn sàng'.normalize('NFD')),
  'a long word': same(LONG),
  'lines and blank lines': ['one\r\ntwo\n\n\nthree', { ...none, text: 'one two three' }],
}

const LINKED: Record<string, [body: string, links: string[]]> = {
  'with brackets': ['https://wiki.example/Foo_(bar).', ['https://wiki.example/Foo_(bar)']],
  'with marks': [
    'https://shop.example/@ada_ and http://foo.com/I_m_king',
    ['https://shop.example/@ada_', 'http://foo.com/I_m_king'],
  ],
  'in a Chinese sentence': ['见 https://shop.example/a。谢谢', ['https://shop.example/a']],
  'with a query': ['https://shop.example/list?filter[size]=L&x=1', ['https://shop.example/list?filter[size]=L&x=1']],
  'of a mailbox': ['write to ada@shop.example, please', ['mailto:ada@shop.example']],
}

const OF_CUSTOMER: Record<string, string> = {
  'a path': 'C:\\Users\\_me\\.ssh\\*',
  'a shrug': '¯\\_(ツ)_/¯',
  'stars around a word': '**really** `now` ~~no~~',
  'what looks like a link': '[blue](https://)',
  'a list': '- one\n- two',
}

test.for(Object.entries(OF_TEAM))('%s means the same on screens, in mails and in Slack', ([, [body, meaning]]) => {
  const message = { ...TEAM, body }
  expect(onScreen(message)).toEqual(meaning)
  expect(inMail(message)).toEqual(meaning)
  expect(inSlack(message)).toEqual(meaning)
  expect(asPlain(message)).toEqual({ text: meaning.text, links: meaning.links })
})

test.for(Object.entries(LINKED))('an address %s leads to the same place everywhere', ([, [body, links]]) => {
  for (const message of [
    { ...TEAM, body },
    { ...CUSTOMER, body },
  ]) {
    const meaning = { ...none, text: collapseSpaces(body), links }
    expect(onScreen(message)).toEqual(meaning)
    expect(inMail(message)).toEqual(meaning)
    expect(inSlack(message)).toEqual(meaning)
    expect(collapseSpaces(plainText(message))).toBe(collapseSpaces(body))
  }
})

test.for(Object.entries(OF_CUSTOMER))('%s of a customer stays as it was typed', ([, body]) => {
  const message = { ...CUSTOMER, body }
  expect(onScreen(message)).toEqual({ ...none, text: collapseSpaces(body) })
  expect(inMail(message)).toEqual({ ...none, text: collapseSpaces(body) })
  expect(plainText(message)).toBe(body)
})

test('in a mail a long word breaks, and a text has the direction of its own language', () => {
  const html = messageToHtml({ ...TEAM, body: LONG })
  const answer = writeAnswer({ text: LONG, html }, null)
  const notice = {
    subject: 'New',
    language: 'en',
    preview: '',
    parts: [{ type: 'quote' as const, author: 'Ada', text: LONG, html }],
  }
  for (const mail of [
    answer.html,
    quoteBelow(answer, { author: 'Ada', at: '2026-11-26T10:00:00Z', body: LONG }).html,
    renderHtml(notice),
  ]) {
    expect(mail).toContain('word-break:break-word')
    expect(mail).toContain('dir="auto"')
  }
})
