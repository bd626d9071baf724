import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { MessageText } from './MessageText.tsx'

/** The HTML of a message, without the element around it. */
function drawn(body: string, written: { customer_id?: string; source?: string } = {}): string {
  const html = renderToStaticMarkup(createElement(MessageText, { body, ...written }))
  return html.slice(html.indexOf('>') + 1, -'</div>'.length)
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
const textOf = (html: string) => unescaped(html.replace(/<[^>]*>/g, ''))

const link = (href: string, text: string) =>
  `<a href="${href}" title="${href}" target="_blank" rel="noopener noreferrer nofollow">${text}</a>`

describe('a message', () => {
  it.each([
    ['Hello\nthere', '<p>Hello\nthere</p>'],
    ['one\n\n\ntwo', '<p>one</p><p>two</p>'],
    ['*a* _b_ **c** __d__ ~~e~~', '<p><em>a</em> <em>b</em> <strong>c</strong> <strong>d</strong> <del>e</del></p>'],
    ['***all***', '<p><em><strong>all</strong></em></p>'],
    ['**a *b* c**', '<p><strong>a <em>b</em> c</strong></p>'],
    ['run `npm *start*`', '<p>run <code translate="no">npm *start*</code></p>'],
    ['``a`b``', '<p><code translate="no">a`b</code></p>'],
    [
      '```js\nlet a = **1**\n\n> b\n```\nafter',
      '<pre dir="ltr" translate="no"><code>let a = **1**\n\n&gt; b</code></pre><p>after</p>',
    ],
    ['# Big\ntext', '<p><strong>Big</strong></p><p>text</p>'],
    ['> said\n> twice\nanswer', '<blockquote><p>said\ntwice</p></blockquote><p>answer</p>'],
    ['- a\n- b\n  - c', '<ul><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul></li></ul>'],
    ['3. a\n4. b', '<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>'],
    ['So:\n* a\n\n* b', '<p>So:</p><ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['[site](https://x.example/a_b)', `<p>${link('https://x.example/a_b', 'site')}</p>`],
    ['**[a *b*](mailto:c@d.example)**', `<p><strong>${link('mailto:c@d.example', 'a <em>b</em>')}</strong></p>`],
    ['see https://x.example/_a_.', `<p>see ${link('https://x.example/_a_', 'https://x.example/_a_')}.</p>`],
    ['_https://x.example/a_b_', `<p><em>${link('https://x.example/a_b', 'https://x.example/a_b')}</em></p>`],
    ['这是**重要**的，**「最重要」**です', '<p>这是<strong>重要</strong>的，<strong>「最重要」</strong>です</p>'],
    ['[https://bank.example](https://x.example)', `<p>${link('https://x.example', 'https://bank.example')}</p>`],
    ['\\*plain\\*', '<p>*plain*</p>'],
  ])('draws %j', (body, html) => {
    expect(drawn(body)).toBe(html)
  })

  it('shows a picture from elsewhere as a link and never loads it', () => {
    expect(drawn('![me](https://spy.example/1.gif)')).toBe(`<p>${link('https://spy.example/1.gif', 'me')}</p>`)
    expect(drawn('![](https://spy.example/1.gif)')).toContain('>https://spy.example/1.gif</a>')
  })

  it.each([
    '[x](javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](/settings/account)',
    '<img src=x onerror=alert(1)>',
    '<https://',
  ])('leaves %j as the text it is', (body) => {
    expect(drawn(body)).not.toMatch(/<(?!\/?p>)/)
    expect(textOf(drawn(body))).toBe(body)
  })

  it.each([
    '2 * 3 * 4 = 24',
    '2*3*4',
    'snake_case_name and _x',
    'C:\\Users\\new and \\\\server\\share',
    'a ~ b ~~ c',
    '* ',
    '5 > 3 < 7',
    '-- Anna',
    '#1',
    'Order #12 [urgent] (please)',
    'Price* without tax',
    '`',
    '**',
    'on the\n2. of May',
    'call __init__.py and self.__dict__, not __main__.__doc__',
    'x**2 + y**2 and 2**10',
  ])('leaves the plain text %j unchanged', (body) => {
    expect(drawn(body)).toBe(`<p>${body.trimEnd().replaceAll('>', '&gt;').replaceAll('<', '&lt;')}</p>`)
  })
})

/** Markdown and HTML syntax in any order. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'*_~`[]()!<>#-+1.\\ \n\t',
        '**',
        '~~',
        '```',
        '](',
        '> ',
        '- ',
        '1. ',
        '![',
        '://',
        'https://x.example',
        'a@b.example',
        'javascript:',
        '<b>',
        '\u0000',
        '🙂',
        'ß',
      ),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''))

describe('what a customer typed', () => {
  const typed = (body: string) => drawn(body, { customer_id: 'c' })

  it.each([
    'C:\\Users\\_me\\.ssh\\*',
    '¯\\_(ツ)_/¯',
    '**bold** _it_ `code` ~~no~~ [a](b)',
    '# one\n- two\n\n\n    three',
  ])('stays as it is: %j', (body) => {
    expect(unescaped(typed(body))).toBe(`<p>${body}</p>`)
  })

  it('has links, and nothing but links', () => {
    expect(typed('*see* https://x.example/_a_ \\*')).toBe(
      `<p>*see* ${link('https://x.example/_a_', 'https://x.example/_a_')} \\*</p>`,
    )
  })

  it('has marks where it comes from Slack, which sends them as Markdown', () => {
    expect(drawn('**red**', { customer_id: 'c', source: 'slack' })).toBe('<p><strong>red</strong></p>')
  })
})

describe('any text at all', () => {
  it('produces only allowed elements, and only links to web and mail addresses', () => {
    fc.assert(
      fc.property(hostile, (body) => {
        const html = drawn(body)
        const tags = [...html.matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag]) => tag)
        for (const tag of tags) expect('p em strong del code pre ul ol li blockquote a'.split(' ')).toContain(tag)
        for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(https?:\/\/|mailto:)/i)
      }),
      { numRuns: 500, seed: 20_261_121 },
    )
  })

  it('stays unchanged without formatting characters', () => {
    const plainText = fc.stringMatching(/^[a-zA-Zäếß0-9,;?"'<&][a-zA-Zäếß0-9 ,;?"'<&\n]{0,60}$/)
    fc.assert(
      fc.property(plainText, (body) => {
        const collapsed = (text: string) => text.replace(/\s+/g, ' ').trim()
        expect(collapsed(textOf(drawn(body).replaceAll('</p><p>', '\n\n')))).toBe(collapsed(body))
      }),
      { numRuns: 300, seed: 20_261_121 },
    )
  })

  it.each([
    '*a ',
    '_a_',
    '[',
    '[a](',
    '![',
    '> ',
    '>',
    '- ',
    '`',
    '`a',
    '~~a',
    '**a*',
    '\n',
    ' \n',
    '- a\n',
    '- a\n\n',
    '1. a\n  ',
    'a.',
    '](https://x',
  ])('of 50,000 signs is drawn without hesitation: %j', (unit) => {
    // CPU time, because wall-clock time depends on what else runs on the machine.
    const before = process.cpuUsage()
    drawn(unit.repeat(Math.ceil(50_000 / unit.length)).slice(0, 50_000))
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(1_500)
  })
})
