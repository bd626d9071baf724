import type { Page } from '@playwright/test'
import { afterAll, beforeAll, beforeEach, expect as check, test } from 'vitest'
import { expect, openPage, type Watched } from '#tests/support/browser.ts'
import { type ADA, call, expectNoFindings, openDashboard, type Scene, setScene } from './scene.ts'

let scene: Scene
const BEN = { email: 'ben@acme.test', password: 'correct horse battery' }

beforeAll(async () => {
  scene = await setScene()
  const { data } = await call(scene.url, 'POST', '/api/user_invitations', {}, scene.token)
  const user = { invite_token: data.id, ...BEN, password_confirmation: BEN.password }
  await call(scene.url, 'POST', '/api/registration', { user })
})
afterAll(() => scene.close())

/** Every story begins with an inbox of its own. */
beforeEach(async () => {
  const { data } = await call(scene.url, 'GET', '/api/conversations', undefined, scene.token)
  for (const { id } of data) await call(scene.url, 'POST', `/api/conversations/${id}/archive`, {}, scene.token)
})

interface Started {
  conversation_id: string
  customer_id: string
}

/** A customer of a published client asks something. */
async function startConversation(name: string, body: string): Promise<Started> {
  const { account_id, url } = scene
  const customer = await call(url, 'POST', '/api/customers', { customer: { account_id, name } })
  const customer_id: string = customer.data.id
  const opened = await call(url, 'POST', '/api/conversations', { conversation: { account_id, customer_id } })
  const started = { conversation_id: opened.data.id as string, customer_id }
  await answer(started, body)
  return started
}

/** The customer writes, through the API. */
const answer = ({ conversation_id, customer_id }: Started, body: string) =>
  call(scene.url, 'POST', '/api/messages', { message: { conversation_id, customer_id, body } }, scene.token)

const startMany = async (count: number) => {
  for (let i = count; i > 0; i--) await startConversation(`Customer ${i}`, `question ${i}`)
}
const rows = (page: Page) => page.getByRole('link', { name: /^Customer \d+/ })
const palette = (page: Page) => page.getByRole('combobox', { name: 'Search commands and pages' })

async function signIn(who: typeof ADA): Promise<Watched> {
  const watched = await openPage(scene.browser)
  await watched.page.goto(scene.url)
  await watched.page.getByLabel('Email').fill(who.email)
  await watched.page.getByLabel('Password', { exact: true }).fill(who.password)
  await watched.page.getByRole('button', { name: 'Log in' }).click()
  await expect(watched.page.getByRole('heading', { name: 'All conversations' })).toBeVisible()
  return watched
}

test('twenty conversations are closed with the keyboard alone', async () => {
  await startMany(20)
  const { page, faults } = await openDashboard(scene)
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('j')
  for (let i = 1; i <= 20; i++) {
    await expect(page.getByRole('heading', { level: 1, name: `Customer ${i}`, exact: true })).toBeVisible()
    // A held key repeats, but closes only one.
    await page.keyboard.down('e')
    await page.keyboard.down('e')
    await page.keyboard.up('e')
  }
  await expect(page.getByText('Nothing to show here! Take a well-earned break')).toBeVisible({ timeout: 20_000 })
  expect(await page.evaluate(() => location.pathname)).toBe('/conversations/all')
  check(faults).toEqual([])
})

test('closing can be undone with a key while its notice is shown', async () => {
  await startMany(2)
  const { page } = await openDashboard(scene)
  await page.keyboard.press('Control+ArrowDown')
  await expect(page.getByRole('heading', { level: 1, name: 'Customer 1' })).toBeVisible()
  await page.keyboard.press('Control+d')
  await expect(page.getByText('Closed the conversation with Customer 1')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Conversation re-opened!')).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
})

test('several are selected and closed at once, and undo restores them', async () => {
  await startMany(6)
  const { page } = await openDashboard(scene)
  await expect(rows(page)).toHaveCount(6)
  await rows(page).nth(1).hover()
  await page.getByRole('checkbox', { name: 'Select the conversation with Customer 2' }).click()
  await page.getByRole('checkbox', { name: 'Select the conversation with Customer 5' }).click({ modifiers: ['Shift'] })
  await expect(page.getByText('4 selected')).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('toolbar').getByRole('button', { name: 'Close conversation' }).click()
  await expect(page.getByText('4 conversations closed')).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('4 conversations re-opened')).toBeVisible()
  await expect(rows(page)).toHaveCount(6)
})

test('after closing all conversations of a page the next page is shown', async () => {
  await startMany(3)
  const { page } = await openDashboard(scene)
  await page.route('**/api/conversations?*', (route) => route.continue({ url: `${route.request().url()}&limit=2` }))
  await page.reload()
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.keyboard.press('e')
  await expect(rows(page)).toHaveText([/Customer 3/])
})

test('keys select, extend and clear a selection', async () => {
  await startMany(4)
  const { page } = await openDashboard(scene)
  await expect(rows(page)).toHaveCount(4)
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { level: 1, name: 'Customer 1' })).toBeVisible()
  await page.keyboard.press('x')
  await expect(page.getByText('1 selected')).toBeVisible()
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByText('3 selected')).toBeVisible()
  await page.keyboard.press('Shift+ArrowUp')
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('2 selected')).toHaveCount(0)
})

test('a snoozed conversation leaves the inbox, and returns when the customer answers', async () => {
  const carla = await startConversation('Customer 1', 'where is it?')
  const { page } = await openDashboard(scene)
  await rows(page).first().click()
  await page.getByRole('button', { name: 'Snooze', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Until the customer answers' }).click()
  await expect(page.getByText('Snoozed until the customer answers').first()).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page).toHaveURL(/\/conversations\/snoozed$/)
  await rows(page).first().click()
  await expect(page.getByRole('button', { name: 'Wake up' })).toBeVisible()
  await expectNoFindings(page)
  await answer(carla, 'hello again')
  await expect(page.getByRole('button', { name: 'Wake up' })).toHaveCount(0)
  await page.getByRole('link', { name: /^All/ }).first().click()
  await expect(rows(page)).toHaveCount(1)
})

test('a time for snoozing is picked, and waking by hand returns the conversation', async () => {
  await startConversation('Customer 1', 'later please')
  const { page } = await openDashboard(scene)
  await rows(page).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Customer 1' })).toBeVisible()
  // A conversation that has left the list can be brought back at once, however slow the server is.
  await page.route('**/api/conversations/*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await route.continue()
  })
  await page.keyboard.press('s')
  const choice = page.getByRole('combobox', { name: 'Snooze until' })
  await choice.fill('pick')
  await choice.press('Enter')
  await page.getByLabel('Date and time').fill('2001-01-01T09:00')
  await page.getByRole('button', { name: 'Snooze', exact: true }).last().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.getByLabel('Date and time').fill('2098-01-01T09:00')
  await page.getByRole('button', { name: 'Snooze', exact: true }).last().click()
  await expect(rows(page)).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(rows(page)).toHaveCount(1)
})

test('a conversation marked as unread stays unread while it is open', async () => {
  await startMany(1)
  const { page } = await openDashboard(scene)
  await rows(page).first().click()
  await expect(page.getByRole('link', { name: 'Customer 1' }).getByText('Unread')).toHaveCount(0)
  await page.keyboard.press('m')
  await expect(page.getByRole('link', { name: 'Customer 1' }).getByText('Unread')).toHaveCount(1)
  // The event of a colleague's change comes later than any read receipt would have.
  const { data } = await call(scene.url, 'GET', '/api/conversations', undefined, scene.token)
  const body = { conversation: { priority: 'priority' } }
  await call(scene.url, 'PUT', `/api/conversations/${data[0].id}`, body, scene.token)
  await expect(page.getByRole('link', { name: 'Customer 1' }).getByText('Prioritized')).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Customer 1' }).getByText('Unread')).toHaveCount(1)
})

test('the palette goes everywhere, assigns and tags, without a mouse', async () => {
  await startMany(1)
  await call(scene.url, 'POST', '/api/tags', { tag: { name: 'refund' } }, scene.token)
  const { page, faults } = await openDashboard(scene)
  const type = async (text: string) => {
    await page.keyboard.press('Control+k')
    await palette(page).fill(text)
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toBeFocused()
  await expectNoFindings(page)
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  await type('go to closed')
  await expect(page).toHaveURL(/\/conversations\/closed$/)
  await type('go to saved repl')
  await expect(page).toHaveURL(/\/settings\/saved-replies$/)
  await type('go to all conv')
  await expect(rows(page)).toHaveCount(1)
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { level: 1, name: 'Customer 1' })).toBeVisible()
  await type('tag: refund')
  await expect(page.getByLabel('Customer details').getByText('refund')).toBeVisible()
  await type('assign to ben')
  await expect(page.getByRole('link', { name: 'Customer 1' }).getByText(/^Assigned to ben/)).toHaveCount(1)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  check(faults).toEqual([])
})

test('two agents see that both view one conversation, until one leaves', async () => {
  await startMany(2)
  const ada = await openDashboard(scene)
  const ben = await signIn(BEN)
  await rows(ada.page).first().click()
  await rows(ben.page).first().click()
  await expect(ada.page.getByRole('img', { name: /^ben.* is looking at this too/ })).toBeVisible()
  await expect(ben.page.getByRole('img', { name: /^ada.* is looking at this too/ })).toBeVisible()
  await rows(ben.page).nth(1).click()
  await expect(ada.page.getByRole('img', { name: /^ben.* is looking at this too/ })).toHaveCount(0)
  await rows(ben.page).first().click()
  await expect(ada.page.getByRole('img', { name: /^ben.* is looking at this too/ })).toBeVisible()
  await ada.page.getByPlaceholder('Write a reply').fill('Half a reply')
  await ben.page.getByRole('button', { name: 'Delete conversation' }).click()
  await expect(ada.page.getByText('This conversation was deleted.')).toBeVisible()
  await ada.page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(ada.page.getByPlaceholder('Write a reply')).toHaveValue('Half a reply')
  await ben.page.getByRole('link', { name: /^Customer 1 / }).click()
  await expect(ada.page.getByRole('img', { name: /^ben.* is looking at this too/ })).toBeVisible()
  await ben.page.context().close()
  await expect(ada.page.getByRole('img', { name: /^ben.* is looking at this too/ })).toHaveCount(0)
})

test('a conversation that a colleague closes while one writes keeps the text, says who closed it, and is reopened by sending', async () => {
  await startMany(2)
  const ada = (await openDashboard(scene)).page
  const ben = await signIn(BEN)
  await rows(ada).first().click()
  await rows(ben.page).first().click()
  const write = ada.getByPlaceholder('Write a reply')
  await write.pressSequentially('Your order ')
  await ben.page.getByRole('button', { name: 'Close conversation' }).click()
  await expect(ada.getByText('ben@acme.test closed this conversation.')).toBeVisible()
  await expect(write).toBeFocused()
  // The page must ignore these letters, each of which would otherwise be a command.
  await ada.keyboard.type('#12 is on its way, enjoy')
  await expect(write).toHaveValue('Your order #12 is on its way, enjoy')
  await expectNoFindings(ada)
  await ada.getByRole('button', { name: 'Reopen and send' }).click()
  await expect(ada.getByRole('log').getByText('Your order #12 is on its way, enjoy')).toBeVisible()
  await expect(ada.getByText('closed this conversation')).toHaveCount(0)
  await expect(rows(ada)).toHaveCount(2)
})

test('letters typed after a field has disappeared are not taken as commands, until typing pauses', async () => {
  await startMany(2)
  const { page } = await openDashboard(scene)
  await rows(page).first().click()
  await expect(page.getByPlaceholder('Write a reply')).toBeVisible()
  await page.evaluate(() => {
    const field = document.createElement('textarea')
    document.querySelector('main')?.append(field)
    field.focus()
    setTimeout(() => field.remove())
  })
  await page.keyboard.type('enjoy #12', { delay: 20 })
  await page.waitForTimeout(2_100)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('e')
  await expect(rows(page)).toHaveCount(1)
})

test('deleting by key asks for confirmation', async () => {
  await startMany(2)
  const { page } = await openDashboard(scene)
  await rows(page).first().click()
  await expect(page.getByPlaceholder('Write a reply')).toBeVisible()
  await page.keyboard.press('#')
  const question = page.getByRole('dialog', { name: 'Delete this conversation?' })
  await expect(question.getByRole('button', { name: 'No' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('#')
  await question.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Conversation deleted!')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
})

test('one notice beside the list is for all closed conversations, and undoes all of them', async () => {
  await startMany(4)
  const { page } = await openDashboard(scene)
  await rows(page).first().click()
  await expect(page.getByPlaceholder('Write a reply')).toBeVisible()
  for (let i = 1; i <= 3; i++) {
    await expect(page.getByRole('heading', { level: 1, name: `Customer ${i}`, exact: true })).toBeVisible()
    await page.keyboard.press('e')
  }
  const notice = page.getByText('3 conversations closed')
  await expect(notice).toBeVisible()
  await expect(page.getByRole('button', { name: /Undo/ })).toHaveCount(1)
  const list = await page.getByRole('region', { name: 'All conversations' }).boundingBox()
  const write = await page.getByPlaceholder('Write a reply').boundingBox()
  const box = await notice.boundingBox()
  check(box!.x).toBeGreaterThan(list!.x + list!.width)
  check(box!.y + box!.height).toBeLessThan(write!.y)
  await page.keyboard.press('Control+z')
  await expect(rows(page)).toHaveCount(4)
})

test('T on a conversation that has every tag says so, and the list of keys has no contradictions', async () => {
  await startMany(1)
  const { page } = await openDashboard(scene)
  await rows(page).first().click()
  await expect(page.getByPlaceholder('Write a reply')).toBeVisible()
  const { data: tags } = await call(scene.url, 'GET', '/api/tags', undefined, scene.token)
  const id = page.url().split('/').at(-1)
  for (const { id: tag_id } of tags) {
    await call(scene.url, 'POST', `/api/conversations/${id}/tags`, { tag_id }, scene.token)
  }
  await expect(rows(page).first().getByText('refund')).toBeVisible()
  await page.keyboard.press('t')
  await expect(page.getByText('All tags are set already.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet.getByText('Next conversation, further up')).toBeVisible()
  await expect(sheet.getByText('Move down the list')).toHaveCount(0)
})

test('on other pages a mention and an assignment are notified, with a link to the conversation', async () => {
  const { conversation_id } = await startConversation('Customer 1', 'who can help?')
  const { page } = await openDashboard(scene)
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('link', { name: 'Reporting', exact: true }).click()
  await expect(page).toHaveURL(/reporting/)
  const { data: ben } = await call(scene.url, 'POST', '/api/session', { user: BEN })
  const { data: me } = await call(scene.url, 'GET', '/api/me', undefined, scene.token)
  const assignment = { conversation: { assignee_id: me.id } }
  await call(scene.url, 'PUT', `/api/conversations/${conversation_id}`, assignment, ben.token)
  await expect(page.getByText('Customer 1 is assigned to you now')).toBeVisible()
  const note = { conversation_id, body: 'Could you look?', type: 'note', private: true, mentioned_user_ids: [me.id] }
  await call(scene.url, 'POST', '/api/messages', { message: note }, ben.token)
  await expect(page.getByText('ben@acme.test mentioned you')).toBeVisible()
  await page.getByRole('button', { name: 'View', exact: true }).click()
  await expect(page.getByRole('log').getByText('Could you look?')).toBeVisible()
})
