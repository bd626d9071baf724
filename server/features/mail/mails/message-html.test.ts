import { expect, test } from 'vitest'
import { messageToHtml, textToHtml } from './message-html.ts'

const team = (body: string) => messageToHtml({ body, customer_id: null })
const customer = (body: string) => messageToHtml({ body, customer_id: 'c' })
const link = (href: string, text = href) => `<a class="link" href="${href}" style="color:#175e66">${text}</a>`
const bare = (html: string) => html.replace(/ (?:style|dir)="[^"]*"/g, '')

test('a reply keeps its formatting in a mail', () => {
  expect(team('**Three** are _here_, ~~four~~')).toBe('<strong>Three</strong> are <em>here</em>, <s>four</s>')
  expect(team('# Today\nWe are open.\n\nTomorrow, too.')).toBe(
    '<strong>Today</strong><br>We are open.<br><br>Tomorrow, too.',
  )
  expect(team('[the shop](https://shop.test/a_(b)) https://wiki.test/Foo_(bar).')).toBe(
    `${link('https://shop.test/a_(b)', 'the shop')} ${link('https://wiki.test/Foo_(bar)')}.`,
  )
  expect(bare(team('- a\n- **b**\n\n2. c'))).toBe(
    '<ul><li>a</li><li><strong>b</strong></li></ul><ol start="2"><li>c</li></ol>',
  )
})

test('code and indentation stay as they were written', () => {
  expect(bare(team('So:\n```yaml\nkey:\n    - <a>  b\n```'))).toBe(
    'So:<pre><code>key:\n    - &lt;a&gt;  b</code></pre>',
  )
  expect(bare(team('run `pip  install`'))).toBe('run <code>pip&nbsp; install</code>')
  expect(team('def a():\n    return  1')).toBe('def a():<br>&nbsp;&nbsp;&nbsp; return&nbsp; 1')
  expect(team('python __init__.py')).toBe('python __init__.py')
})

test('what a customer typed has links, and is otherwise shown as typed', () => {
  expect(customer('**no** C:\\_me “https://shop.test/a”')).toBe(`**no** C:\\_me “${link('https://shop.test/a')}”`)
  expect(customer('<b>&')).toBe('&lt;b&gt;&amp;')
  expect(textToHtml('a\n  b')).toBe('a<br>&nbsp; b')
})
