import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import pg from 'pg'
import { afterAll, beforeAll, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import {
  call,
  expectNoFindings,
  openChat,
  openConversation,
  openDashboard,
  openSignedIn,
  reply,
  type Scene,
  setScene,
  visitShop,
} from './scene.ts'

const BEN = { email: 'ben@acme.test', password: 'correct horse battery' }

let scene: Scene
const conversations: Record<string, string> = {}

beforeAll(async () => {
  scene = await setScene()
  const { data: invitation } = await send('POST', '/api/user_invitations')
  const joining = { invite_token: invitation.id, ...BEN, password_confirmation: BEN.password }
  await call(scene.url, 'POST', '/api/registration', { user: joining })
  for (const text of ['mention me', 'a long story', 'a draft to keep', 'write to me', 'a letter', 'an order']) {
    conversations[text] = await startConversation(text)
  }
  for (const [text, html] of [
    ['a letter', LETTER],
    ['an order', ORDER],
  ] as const) {
    const conversation_id = idOf(text)
    const author = { conversation_id, customer_id: customers[conversation_id] }
    const { data } = await post({ ...author, source: 'email', body: 'Dear team' })
    await arriveAsEmail(data.id, html)
  }
})
afterAll(() => scene.close())

/** An HTML mail with everything that must not work. */
const LETTER = `<style>h1 { color: green }</style><h1>Dear team</h1><p>The lamp <b>broke</b>.</p>
  <script>parent.hacked = 1; document.title = 'hacked'</script><img src=x onerror="top.hacked = 1">
  <img src="https://tracker.example/pixel.png"><a href="javascript:top.hacked=1">press</a>
  <a href="https://lamp.example">the lamp</a><form action="https://evil.example"><input name="a"></form>
  <blockquote type="cite">What we wrote before</blockquote>`

/** An HTML mail whose table gives almost no room to its first column, as order confirmations do. */
const ORDER = `<table width="100%" style="table-layout: auto"><tr>
  <td width="1">Chandelier</td><td>${'Brassandcrystalwithoutaspace'.repeat(6)}</td></tr></table>`

/** Sets the columns of a message that came by mail, which no call can write. */
async function arriveAsEmail(id: string, html: string) {
  const client = new pg.Client(scene.database)
  await client.connect()
  await client.query('update messages set email_subject = $2, email_html = $3 where id = $1', [
    id,
    'A broken lamp',
    html,
  ])
  await client.end()
}

const send = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)
const post = (message: object) => send('POST', '/api/messages', { message })

/** A customer without a name, and a conversation that begins with their words. */
async function startConversation(text: string): Promise<string> {
  const { data: customer } = await send('POST', '/api/customers', {
    customer: { account_id: scene.account_id, first_seen: '2026-11-01', last_seen_at: '2026-11-01T00:00:00Z' },
  })
  const { data } = await send('POST', '/api/conversations', { conversation: { customer_id: customer.id } })
  await post({ conversation_id: data.id, customer_id: customer.id, body: text })
  customers[data.id] = customer.id
  return data.id
}
const customers: Record<string, string> = {}

const idOf = (text: string) => conversations[text] ?? ''
const open = (page: Page, text: string) => page.goto(`${scene.url}/conversations/all/${idOf(text)}`)

/** Discards the draft that an earlier test left, because it would be loaded while this one types. */
async function openWithoutDraft(page: Page, text: string) {
  const draft = { body: '', type: 'reply', revision: Date.now() }
  await call(scene.url, 'PUT', `/api/conversations/${idOf(text)}/draft`, { draft }, scene.token)
  await open(page, text)
}

const box = (page: Page) => page.getByPlaceholder(/^Write a (reply|private note)/)
const log = (page: Page) => page.getByRole('log', { name: 'Messages' })

async function openAsBen(): Promise<Page> {
  const { page } = await openPage(scene.browser)
  await page.goto(scene.url)
  await page.getByLabel('Email').fill(BEN.email)
  await page.getByLabel('Password', { exact: true }).fill(BEN.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('heading', { name: 'All conversations' })).toBeVisible()
  return page
}

test('a mention is chosen by keyboard, reaches the teammate, and is counted until they open it', async () => {
  const { page, faults } = await openDashboard(scene)
  const colleague = await openAsBen()
  await open(page, 'mention me')
  await box(page).pressSequentially('@zzzz')
  await expect(page.getByText('Teammate not found.')).toBeVisible()
  await box(page).fill('')
  await page.getByText('Note', { exact: true }).click()
  await box(page).pressSequentially('Could you look, @be')
  await expect(page.getByRole('listbox', { name: 'Teammates' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(box(page)).toHaveValue(`Could you look, @${BEN.email} `)
  await page.keyboard.press('Control+Enter')
  await expect(log(page).getByText(`@${BEN.email}`)).toBeVisible()
  const mentions = colleague.getByRole('link', { name: /^Mentions/ })
  await expect(mentions).toContainText('1')
  await mentions.click()
  await openConversation(colleague, 'Could you look')
  await expect(log(colleague).getByText(`@${BEN.email}`)).toBeVisible()
  await expect(mentions).not.toContainText('1')
  expect(faults).toEqual([])
})

test('the first saved reply is created from an empty slash menu, then found by it, with its variables filled in', async () => {
  const { page, faults } = await openDashboard(scene)
  await openWithoutDraft(page, 'write to me')
  await box(page).pressSequentially('/')
  await expect(page.getByRole('option', { name: /^No saved replies yet/ })).toBeVisible()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New saved reply' })
  await dialog.getByLabel('Name').fill('thanks please')
  const content = 'Thank you, {customer.name|dear visitor}! {agent.name} of {account.name}'
  await dialog.getByLabel('Content').fill(content)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(box(page)).toHaveValue('/')
  await box(page).pressSequentially('thank')
  await expect(page.getByRole('option', { name: /\/thanks/ })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(box(page)).toHaveValue('Thank you, dear visitor! ada@acme.test of Acme')
  await box(page).fill('')
  await box(page).pressSequentially('#tha')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(box(page)).toHaveValue('#tha')
  await box(page).fill('')
  expect(faults).toEqual([])
})

test('an emoji is inserted by its name between colons, or from the panel', async () => {
  const { page, faults } = await openDashboard(scene)
  // Another conversation than the test before: its draft may be stored, and arrive, after its page has closed.
  await open(page, 'mention me')
  await box(page).pressSequentially('Great :thumbs')
  await expect(page.getByRole('option', { name: /thumbs_up/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(box(page)).toHaveValue('Great 👍 ')
  await page.getByRole('button', { name: 'Emoji' }).click()
  await page.getByLabel('Search emoji...').fill('thanks please')
  await page.keyboard.press('Enter')
  await expect(box(page)).toHaveValue(/🙏/)
  await box(page).fill('')
  expect(faults).toEqual([])
})

test('a draft of one device appears on the other, and disappears once it is sent', async () => {
  const desk = (await openDashboard(scene)).page
  await open(desk, 'a draft to keep')
  // Another window of the same browser shows every letter at once.
  const beside = await desk.context().newPage()
  await beside.goto(scene.url)
  await open(beside, 'a draft to keep')
  await box(desk).fill('Half')
  await expect(box(beside)).toHaveValue('Half')
  await beside.close()
  const saved = desk.waitForResponse((answer) => answer.request().method() === 'PUT' && /\/draft$/.test(answer.url()))
  await box(desk).fill('Half a sentence')
  await saved
  const phone = (await openDashboard(scene, { viewport: { width: 390, height: 844 } })).page
  await open(phone, 'a draft to keep')
  await expect(box(phone)).toHaveValue('Half a sentence')
  const emptied = phone.waitForResponse(
    (answer) => /\/draft$/.test(answer.url()) && !!answer.request().postData()?.includes('"body":""'),
  )
  await reply(phone, 'Half a sentence, and its end')
  await emptied
  await desk.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(box(desk)).toHaveValue('')
})

test('Enter during composition sends nothing and chooses nothing from a menu', async () => {
  const { page } = await openDashboard(scene)
  await openWithoutDraft(page, 'write to me')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await box(page).fill('Xin chao')
  for (const text of ['Xin chao', '/tha']) {
    await box(page).fill(text)
    await box(page).evaluate((element) => {
      element.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
      const key = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true, isComposing: true, keyCode: 229 }
      element.dispatchEvent(new KeyboardEvent('keydown', key))
      element.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
    })
    await expect(box(page)).toHaveValue(text)
  }
  expect(sent.filter((url) => url.endsWith('/api/messages'))).toEqual([])
  await box(page).fill('')
})

test('a private note stays in the team', async () => {
  const visitor = await visitShop(scene)
  const { sendMessage, log: chat } = await openChat(visitor.page)
  await sendMessage('is anybody there?')
  await expect(chat).toContainText('Sent')
  const { page } = await openDashboard(scene)
  await openConversation(page, 'is anybody there?')
  await page.getByText('Note', { exact: true }).click()
  await expect(page.getByText('Only your team sees this')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add note' })).toBeVisible()
  await box(page).fill('quince marmalade')
  await page.keyboard.press('Control+Enter')
  await expect(log(page).getByText('quince marmalade')).toBeVisible()
  // After a note, the editor is set to a reply again by itself.
  await reply(page, 'Yes, we are here.')
  await expect(chat).toContainText('Yes, we are here.')
  expect(visitor.frames.join()).not.toContain('quince marmalade')
})

test('a conversation opens at its first unread message, and a search result at its message', async () => {
  const id = idOf('a long story')
  for (let i = 2; i <= 120; i++) {
    const speaker = i < 20 ? {} : { customer_id: customers[id] }
    await post({
      conversation_id: id,
      ...speaker,
      body: i === 30 ? 'the turning point, a purple umbrella' : `chapter ${i}`,
    })
  }
  const { page, faults } = await openDashboard(scene)
  await open(page, 'a long story')
  await expect(log(page).getByText('New', { exact: true })).toBeVisible()
  await expect(log(page).getByText('chapter 20', { exact: true })).toBeInViewport()
  await page.getByRole('button', { name: 'Go to the newest message' }).click()
  await expect(log(page).getByText('chapter 120', { exact: true })).toBeInViewport()

  await page.getByPlaceholder('Search messages...').fill('purple umbr')
  const hit = page.getByRole('list', { name: 'Search results' }).getByRole('link').first()
  await expect(hit.locator('mark').first()).toHaveText('purple')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/message=30$/)
  await expect(log(page).getByText('the turning point, a purple umbrella')).toBeInViewport()
  await post({ conversation_id: id, customer_id: customers[id], body: 'chapter 121' })
  await expect(log(page).getByText('chapter 121', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: '1 new message' }).click()
  await expect(log(page).getByText('chapter 121', { exact: true })).toBeInViewport()
  await page.getByPlaceholder('Search messages...').fill('zebra crossing')
  await expect(page.getByText('No messages match')).toBeVisible()
  await page.getByPlaceholder('Search messages...').press('Escape')
  await expect(page.getByRole('link').filter({ hasText: 'chapter 121' }).first()).toBeVisible()
  expect(faults).toEqual([])
})

test('an e-mail is shown in a frame without scripts, and loads pictures only on request', async () => {
  const { page } = await openDashboard(scene)
  const fetched: string[] = []
  await page.route('https://tracker.example/**', (route) => {
    fetched.push(route.request().url())
    return route.abort()
  })
  await open(page, 'a letter')
  await expect(log(page).getByText('A broken lamp')).toBeVisible()
  const frame = log(page).locator('iframe[sandbox*="allow-popups"]')
  await expect(frame).not.toHaveAttribute('sandbox', /allow-(scripts|same-origin|forms)/)
  const mail = frame.contentFrame()
  await expect(mail.getByRole('heading', { name: 'Dear team' })).toBeVisible()
  await expect(mail.getByText('What we wrote before')).toHaveCount(0)
  await expect(mail.locator('script, form, input, [onerror], [href^="javascript"]')).toHaveCount(0)
  await expect(mail.getByRole('link', { name: 'the lamp' })).toHaveAttribute('rel', /noopener/)
  expect(fetched).toEqual([])
  await page.getByRole('button', { name: 'Show quoted text' }).click()
  await expect(mail.getByText('What we wrote before')).toBeVisible()
  await page.getByRole('button', { name: 'Show images' }).click()
  await expect(page.getByRole('button', { name: 'Show images' })).toHaveCount(0)
  expect(fetched, 'our server fetches them, and nobody else').toEqual([])
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  await expectNothingAround(page)
})

test('words in a narrow column of a mail’s table stay whole, and the table scrolls', async () => {
  const { page } = await openDashboard(scene)
  await open(page, 'an order')
  const mail = log(page).locator('iframe[sandbox*="allow-popups"]').contentFrame()
  const lines = await mail.getByText('Chandelier').evaluate((cell) => {
    const range = document.createRange()
    range.selectNodeContents(cell)
    return range.getClientRects().length
  })
  expect(lines).toBe(1)
  const [shown, whole] = await mail.locator('html').evaluate((root) => [root.clientWidth, root.scrollWidth])
  expect(whole).toBeGreaterThan(shown ?? 0)
})

test('a conversation is started with a customer who has none open, and found by the link of the notice', async () => {
  const conversation_id = await startConversation('long ago')
  await send('PUT', `/api/conversations/${conversation_id}`, { conversation: { status: 'closed' } })
  const { page } = await openSignedIn(scene, `/conversations/closed/${conversation_id}`)
  await page.getByRole('button', { name: 'New conversation', exact: true }).click()
  await expect(page.getByRole('radio', { name: 'Email' })).toBeDisabled()
  await page.getByRole('button', { name: /Send$/ }).click()
  await expect(page.getByText("can't be blank")).toBeVisible()
  await page.getByLabel('Message', { exact: true }).fill('How is the lamp?')
  await page.getByRole('button', { name: /Send$/ }).click()
  await expect(page.getByText('Message successfully sent.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'New conversation', exact: true })).toBeDisabled()
  const started = async () => (await send('GET', '/api/conversations?status=open&q=lamp')).data[0]
  await expect.poll(started, 'who wrote it has read it').toMatchObject({ read: true, assignee_id: null })
  await page.getByRole('button', { name: 'View conversation' }).click()
  await expect(log(page).getByText('How is the lamp?')).toBeVisible()
  await page.getByRole('region', { name: 'Related conversations' }).getByText('long ago').click()
  const { nickname } = (await send('GET', `/api/conversations/${conversation_id}`)).data.customer
  const window = page.getByRole('dialog', { name: `Conversation with ${nickname}` })
  await expect(window.getByText('long ago')).toBeVisible()
  await expect(window.getByRole('link', { name: 'View in dashboard' })).toBeVisible()
})

test('the composer stays where it is while a conversation is loaded, and one without messages says so', async () => {
  const { data: customer } = await send('POST', '/api/customers', {
    customer: { account_id: scene.account_id, name: 'Quiet Quentin' },
  })
  const { data: empty } = await send('POST', '/api/conversations', { conversation: { customer_id: customer.id } })
  const { page } = await openDashboard(scene)
  await page.route('**/api/messages?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600))
    await route.continue()
  })
  await page.locator(`a[href$="${idOf('mention me')}"]`).click()
  const write = page.getByPlaceholder('Write a reply')
  const before = await write.boundingBox()
  await expect(log(page)).toBeVisible()
  expect(await write.boundingBox()).toEqual(before)
  await page.goto(`${scene.url}/conversations/all/${empty.id}`)
  await expect(page.getByRole('main').getByText('No messages yet').last()).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Quiet Quentin' })).toBeVisible()
})

test('messages that arrive while one has scrolled up are counted, and read after scrolling down', async () => {
  const id = await startConversation('a scroll begins')
  const customer_id = customers[id]
  for (let i = 1; i <= 40; i++) await post({ conversation_id: id, body: `line ${i}` })
  const { page } = await openDashboard(scene)
  await page.goto(`${scene.url}/conversations/all/${id}`)
  await expect(log(page).getByText('line 40', { exact: true })).toBeInViewport()
  await log(page).hover()
  await page.mouse.wheel(0, -1_500)
  await expect(page.getByRole('button', { name: 'Go to the newest message' })).toBeVisible()
  await post({ conversation_id: id, customer_id, body: 'first below' })
  await post({ conversation_id: id, customer_id, body: 'second below' })
  const pill = page.getByRole('button', { name: '2 new messages' })
  await expect(pill).toBeVisible()
  const isRead = async () => (await send('GET', `/api/conversations/${id}?messages=last`)).data.read
  expect(await isRead()).toBe(false)
  await pill.click()
  await expect(log(page).getByText('second below')).toBeInViewport()
  await expect.poll(isRead).toBe(true)
})

test('a draft is marked in the list; the search marks the open result, and keys go through the results', async () => {
  const ids = [await startConversation('pomegranate one'), await startConversation('pomegranate two')]
  const { page } = await openDashboard(scene)
  await page.goto(`${scene.url}/conversations/all/${ids[0]}`)
  await box(page).fill('Half a thought')
  await expect(page.getByRole('link', { name: /Draft Half a thought/ })).toBeVisible()
  await box(page).fill('')
  await page.getByPlaceholder('Search messages...').fill('pomegranate')
  const hits = page.getByRole('list', { name: 'Search results' }).getByRole('link')
  await expect(hits).toHaveCount(2)
  await page.keyboard.press('Control+ArrowDown')
  await expect(hits.first()).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('Control+ArrowDown')
  await expect(hits.nth(1)).toHaveAttribute('aria-current', 'true')
  await expect(hits.first()).not.toHaveAttribute('aria-current', 'true')
  await expect(log(page).getByText('pomegranate one')).toBeVisible()
})

test('a message that waits for a connection is not shown as failed', async () => {
  const { page } = await openDashboard(scene)
  await openWithoutDraft(page, 'write to me')
  await expect(log(page).getByText('write to me')).toBeVisible()
  await page.context().setOffline(true)
  await reply(page, 'sent in a tunnel')
  await expect(page.getByText('It is kept in this browser')).toBeVisible()
  await expect(page.getByText('Message failed to send')).toHaveCount(0)
  await page.context().setOffline(false)
  await expect(page.getByText('It is kept in this browser')).toHaveCount(0)
  await expect(log(page).getByText('sent in a tunnel')).toBeVisible()
})

test.each([
  ['light', 1440],
  ['dark', 390],
] as const)('axe finds nothing while writing and searching, %s at %i pixels', async (colorScheme, width) => {
  const { page } = await openDashboard(scene, { colorScheme, viewport: { width, height: 844 } })
  const search = page.getByPlaceholder('Search messages...')
  await search.focus()
  await expect(page.getByText('written by somebody')).toBeVisible()
  await expectNoFindings(page)
  await search.fill('letter')
  await expect(page.getByRole('list', { name: 'Search results' }).getByRole('link').first()).toBeVisible()
  await expectNoFindings(page)
  // Without the letter: axe waits for ever for a frame in which no script may run.
  await openWithoutDraft(page, 'write to me')
  await box(page).fill('')
  await box(page).fill('/')
  await expect(page.getByRole('listbox')).toBeVisible()
  await expectNoFindings(page)
  await box(page).fill('')
  await page.getByRole('button', { name: 'Emoji' }).click()
  await expect(page.getByLabel('Search emoji...')).toBeFocused()
  await expectNoFindings(page)
})

/** axe waits for ever for a frame in which no script may run, so this checks only what surrounds such frames. */
async function expectNothingAround(page: Page) {
  await page.evaluate(readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'))
  const findings: string[] = await page.evaluate(async () => {
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    const { violations } = await Reflect.get(window, 'axe').run(document, { iframes: false, runOnly })
    return violations.map(({ id }: { id: string }) => id)
  })
  expect(findings).toEqual([])
}
