import type { Locator } from '@playwright/test'
import pg from 'pg'
import { afterAll, beforeAll, test } from 'vitest'
import type { SlackEmulator } from '#tests/emulators/slack.ts'
import { expect, openPage } from '#tests/support/browser.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { collapseSpaces, type Meaning, readMrkdwn } from '#tests/support/meaning.ts'
import { slackSettings, startSlack } from '#tests/support/slack.ts'
import { call, findConversation, openChat, openSignedIn, type Scene, setScene, visitShop } from './scene.ts'

/** One conversation with the texts that go wrong, looked at in the four places where people read it. */

let scene: Scene
let smtp: MailServer
let slack: SlackEmulator
beforeAll(async () => {
  smtp = await startMailServer()
  slack = await startSlack()
  scene = await setScene({}, { ...slackSettings(slack), SMTP_URL: smtp.url })
  // Conversations are forwarded only by people who have confirmed their own address.
  const client = new pg.Client(scene.database)
  await client.connect()
  await client.query('update users set email_verified_at = now()')
  await client.end()
})
afterAll(async () => {
  await scene.close()
  await slack.close()
  await smtp.close()
})

const send = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)
const ROOM = { timeout: 40_000 }
const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(4)

type Expected = Omit<Meaning, 'text'> & { body: string; text: string }

/** What a visitor types is shown as it was typed, with links. */
const TYPED: Expected = {
  body: [
    'Is (https://wiki.example/Foo_(bar)) right, or https://shop.example/list?filter[size]=L&x=1?',
    'It lies in C:\\Users\\_me\\.ssh\\* and __init__.py, **not** `here` ¯\\_(ツ)_/¯ <b>&amp;</b>',
    'שלום (הזמנה 42)! 👩‍👩‍👧‍👦🇩🇪👍🏽 见 https://shop.example/a。谢谢',
    LONG,
  ].join('\n'),
  get text() {
    return collapseSpaces(this.body)
  },
  links: ['https://wiki.example/Foo_(bar)', 'https://shop.example/list?filter[size]=L&x=1', 'https://shop.example/a'],
  strong: [],
  code: [],
}

/** What the team writes has its formatting. */
const WRITTEN: Expected = {
  body: [
    'It is **oak [new]** in [our shop (old)](https://shop.example/Oak_(desk)?a=1&b=2), __init__.py and 2 * 3 * 4:',
    '```',
    'if a < b:',
    '    **x** = "&"',
    '```',
    `Run \`pip  install a_b\`, then مرحبا (42)! ❤️‍🔥 ${LONG}`,
  ].join('\n'),
  text: collapseSpaces(
    `It is oak [new] in our shop (old), __init__.py and 2 * 3 * 4: if a < b: **x** = "&" Run pip install a_b, then مرحبا (42)! ❤️‍🔥 ${LONG}`,
  ),
  links: ['https://shop.example/Oak_(desk)?a=1&b=2'],
  strong: ['oak [new]'],
  code: ['if a < b: **x** = "&"', 'pip install a_b'],
}

/** What is drawn of the message that begins with a text: the words in order, and which of them are links, bold or code. */
async function meaningIn(root: Locator, begin: string): Promise<Meaning | undefined> {
  const { text, links, strong, code } = await root.evaluate((element, begin) => {
    // The innermost element that has the whole message.
    const all = [element, ...element.querySelectorAll('*')]
    const innermost = all
      .filter((candidate) => candidate.textContent?.replace(/^[\s\u2068]+/, '').startsWith(begin))
      .at(0)
    const linesOf = (css: string) => [...(innermost?.querySelectorAll<HTMLElement>(css) ?? [])]
    return {
      text: (innermost as HTMLElement | undefined)?.innerText ?? '',
      links: linesOf('a').map((link) => link.getAttribute('href') ?? ''),
      strong: linesOf('strong').map(({ innerText }) => innerText),
      code: linesOf('code').map(({ innerText }) => innerText),
    }
  }, begin)
  return { text: collapseSpaces(text), links, strong: strong.map(collapseSpaces), code: code.map(collapseSpaces) }
}

const meaningOf = ({ text, links, strong, code }: Expected): Meaning => ({ text, links, strong, code })

test('the same conversation says the same in the dashboard, the chat, a mail and Slack', async () => {
  const { bot_token, app_token, channels } = slack.team
  const channel_id = channels.support
  await send('POST', '/api/slack/auth', {
    authorization: { type: 'reply', inbox_id: null, bot_token, app_token, channel_id },
  })
  const shop = await visitShop(scene)
  const { log, sendMessage } = await openChat(shop.page)
  await sendMessage('Hello there')
  await expect(log).toContainText('Sent')
  const { id } = await findConversation(scene, 'Hello')
  await sendMessage(TYPED.body)
  await expect(log).toContainText('谢谢')
  await send('POST', '/api/messages', { message: { conversation_id: id, body: WRITTEN.body } })
  await expect(log).toContainText('مرحبا')

  const { page, faults } = await openSignedIn(scene, `/conversations/all/${id}`)
  const thread = page.getByRole('log')
  await expect(thread).toContainText('مرحبا', ROOM)

  await send('POST', `/api/conversations/${id}/forward`, { forward: { to: 'joiner@wood.test' } })
  const { html } = await smtp.receive('joiner@wood.test')
  const mail = await openPage(scene.browser)
  await mail.page.setContent(html ?? '')

  for (const expected of [TYPED, WRITTEN]) {
    const begin = expected.text.slice(0, 5)
    for (const [surface, root] of [
      ['dashboard', thread],
      ['chat', log],
      ['mail', mail.page.locator('body')],
    ] as const) {
      expect(await meaningIn(root, begin), surface).toEqual(meaningOf(expected))
    }
  }
  const posts = async () => {
    const [root] = (await slack.team.messages('support')).filter(({ text }) => text.includes('Hello there'))
    return root ? (await slack.team.messages('support', root.ts)).map(({ text }) => readMrkdwn(text)) : []
  }
  await expect.poll(posts, ROOM).toContainEqual(meaningOf(WRITTEN))
  // Slack has no way to show its own marks as they were typed.
  const unmarked = (text: string | undefined) => text?.replace(/[`*_]/g, '')
  const typed = (await posts()).find(({ text }) => text.includes('谢谢'))
  expect(unmarked(typed?.text)).toBe(unmarked(TYPED.text))
  expect(typed?.links).toEqual(TYPED.links)

  // Nothing is wider than its place.
  for (const frame of [...shop.page.frames(), page.mainFrame()]) {
    expect(await frame.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
  expect([...faults, ...shop.faults]).toEqual([])
})
