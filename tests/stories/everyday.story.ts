import type { Locator, Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, openConversation, openDashboard, openSignedIn, type Scene, setScene } from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await setScene({}, { RATE_LIMITS: 'off' })
})
afterAll(() => scene.close())

async function startConversation(name: string): Promise<string> {
  const { account_id, url, token } = scene
  const customer = await call(url, 'POST', '/api/customers', { customer: { account_id, name } })
  const customer_id: string = customer.data.id
  const { data } = await call(url, 'POST', '/api/conversations', { conversation: { account_id, customer_id } }, token)
  const message = { conversation_id: data.id, customer_id, body: `question of ${name}` }
  await call(url, 'POST', '/api/messages', { message }, token)
  return data.id
}

const read = async (id: string) =>
  (await call(scene.url, 'GET', `/api/conversations/${id}`, undefined, scene.token)).data

test('an unknown path below the live sessions shows their list', async () => {
  const { page } = await openSignedIn(scene, '/sessions/of/nobody')
  await expect(page.getByRole('heading', { name: 'Live sessions' })).toBeVisible()
})

test('the bar of pages is 80 wide, and that of views 220', async () => {
  const { page } = await openDashboard(scene)
  const leftOf = async (what: Locator) => (await what.boundingBox())!.x
  const main = page.getByRole('navigation', { name: 'Main navigation' })
  const views = page.getByRole('navigation', { name: 'Views' })
  expect(await leftOf(main)).toBe(0)
  expect(await leftOf(views)).toBe(80)
  // The content beside them begins where they end, including the borders between them.
  const beside = await views.evaluate((bar) => {
    const { right } = bar.getBoundingClientRect()
    return document
      .elementFromPoint(right + 4, 300)!
      .closest('section, main > *')!
      .getBoundingClientRect().left
  })
  expect(beside).toBe(300)
})

test('a list that cannot be loaded says so, and appears after a retry', async () => {
  await startConversation('Ida')
  const { page } = await openDashboard(scene)
  await page.route(/\/api\/conversations\?/, (route) => route.fulfill({ status: 400, body: '{}' }))
  await page.reload()
  await expect(page.getByText('Error retrieving inbox')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('question of Ida').first()).toBeVisible()
})

test('keys prioritize, close and reopen, from within the composer, too', async () => {
  const id = await startConversation('Jane')
  const { page } = await openDashboard(scene)
  await openConversation(page, 'question of Jane')
  await expect(page.getByRole('log')).toContainText('question of Jane')
  await page.keyboard.press('Control+p')
  await expect.poll(async () => (await read(id)).priority).toBe('priority')
  await page.keyboard.press('Control+u')
  await expect.poll(async () => (await read(id)).priority).toBe('not_priority')
  await page.getByPlaceholder('Write a reply').focus()
  await page.keyboard.press('Control+d')
  await expect.poll(async () => (await read(id)).status).toBe('closed')
  await page.goto(`${scene.url}/conversations/closed/${id}`)
  await expect(page.getByRole('log')).toContainText('question of Jane')
  await page.keyboard.press('Control+o')
  await expect.poll(async () => (await read(id)).status).toBe('open')
})

test('a group of pages that the pointer is over opens by a click, and stays open', async () => {
  const { page } = await openDashboard(scene)
  const group = page.getByRole('button', { name: 'Settings' })
  await group.hover()
  await group.click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expect(page.getByRole('menuitemradio').first()).toBeVisible()
})

test('after a long message the thread is scrolled to its very end', async () => {
  const id = await startConversation('Lea')
  const { page } = await openDashboard(scene)
  await openConversation(page, 'question of Lea')
  await expect(page.getByRole('log')).toContainText('question of Lea')
  const lines = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n\n')
  const message = { conversation_id: id, customer_id: (await read(id)).customer_id, body: lines }
  await call(scene.url, 'POST', '/api/messages', { message }, scene.token)
  await expect(page.getByRole('log').getByText('line 59')).toBeVisible()
  const toTheEnd = () =>
    page.getByRole('log').evaluate((log) => {
      let box: Element = log
      while (box.scrollHeight <= box.clientHeight && box.parentElement) box = box.parentElement
      return Math.round(box.scrollHeight - box.clientHeight - box.scrollTop)
    })
  await expect.poll(toTheEnd).toBeLessThanOrEqual(1)
})

test('the conversations of a customer distinguish notes from replies', async () => {
  const id = await startConversation('Mia')
  const note = { conversation_id: id, body: 'only for us', private: true, type: 'note' }
  await call(scene.url, 'POST', '/api/messages', { message: note }, scene.token)
  const { page } = await openSignedIn(scene, `/customers/${(await read(id)).customer_id}`)
  await expect(page.getByText(/^Private note: $/)).toBeAttached()
  await expect(page.getByText('only for us')).toBeVisible()
})

test('an empty message is not sent', async () => {
  const id = await startConversation('Kim')
  const { page } = await openDashboard(scene)
  await openConversation(page, 'question of Kim')
  const write = page.getByPlaceholder('Write a reply')
  await write.fill('   ')
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await write.press('Control+Enter')
  await write.fill('a word')
  await write.press('Control+Enter')
  await expect(page.getByRole('log').getByText('a word')).toBeVisible()
  const bodies = async () => (await read(id)).messages.map(({ body }: { body: string }) => body)
  await expect.poll(bodies).toEqual(['question of Kim', 'a word'])
})

test('inboxes are listed, are created in a dialog that shows errors, and have a page each', async () => {
  const { page } = await openSignedIn(scene, '/inboxes')
  const table = page.getByRole('table', { name: 'Inboxes' })
  await expect(table.getByRole('row', { name: /^Primary Inbox ?Primary/ })).toBeVisible()
  await page.getByRole('button', { name: 'New inbox' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create new inbox' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByLabel('Name').fill('Returns')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Returns' })).toBeVisible()
  await expect(page.getByText('No description.')).toBeVisible()
  await page.getByRole('link', { name: 'View conversations' }).click()
  await expect(page).toHaveURL(/\/inboxes\/[\da-f-]{36}\/conversations/)
  await page.goto(`${scene.url}/inboxes`)
  // The one that was changed last comes first.
  await expect(table.getByRole('row').nth(1)).toHaveText(/^Returns--/)
  await table.getByRole('link', { name: 'Configure Returns' }).click()
  await expect(page.getByRole('heading', { name: 'Returns' })).toBeVisible()
})

test('a new tag has the first colour of the palette unless another is chosen', async () => {
  const { page } = await openSignedIn(scene, '/tags')
  await page.getByRole('button', { name: 'New tag' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New tag' })
  await dialog.getByLabel('Name').fill('urgent')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('urgent').first()).toBeVisible()
  const { data } = await call(scene.url, 'GET', '/api/tags', undefined, scene.token)
  expect(data.map(({ name, color }: { name: string; color: string }) => [name, color])).toEqual([['urgent', 'magenta']])
})

test('an error of requesting a password reset is shown', async () => {
  const page = await scene.browser.newPage()
  await page.route('**/api/reset_password', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto(`${scene.url}/reset-password`)
  await page.getByLabel('Email').fill('ada@acme.test')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('alert')).toContainText('Something went wrong! Try again in a few minutes.')
  await page.close()
})

test('logging out ends the session and leads to the sign-in page', async () => {
  const { page } = await openSignedIn(scene, '/conversations/all')
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.goto(`${scene.url}/conversations/all`)
  await expect(page).toHaveURL(/\/login/)
})

test('the list of tags does not cover the button below it', async () => {
  for (const name of ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord']) {
    await call(scene.url, 'POST', '/api/tags', { tag: { name } }, scene.token)
  }
  const id = await startConversation('Nia')
  const { page } = await openSignedIn(scene, `/customers/${(await read(id)).customer_id}`)
  await page.getByRole('button', { name: 'Edit customer tags' }).click()
  await page.getByRole('combobox', { name: 'Choose or create tags' }).click()
  await page.getByRole('option', { name: 'cedar' }).click()
  await expect(page.getByRole('option', { name: 'fjord' })).toBeVisible()
  // By its text, because the open list hides everything else from screen readers.
  await page.getByText('Done', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'Customer tags' }).getByText('cedar')).toBeVisible()
})

test('a search can be cleared by a button that is visible in both themes', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openDashboard(scene)
    await page.emulateMedia({ colorScheme })
    const box = page.getByRole('searchbox', { name: 'Search messages...' })
    const { x, y, width, height } = (await box.boundingBox())!
    const clip = { x: x + width - 32, y: y + 2, width: 30, height: height - 4 }
    await box.focus()
    const empty = await page.screenshot({ clip, caret: 'hide' })
    await box.fill('a')
    await expect
      .poll(async () => (await page.screenshot({ clip, caret: 'hide' })).equals(empty), { message: colorScheme })
      .toBe(false)
    await page.mouse.click(x + width - 16, y + height / 2)
    await expect(box).toHaveValue('')
  }
})

test('missing values are reported at their fields, in our words, and the first one has the focus', async () => {
  const { page } = await openSignedIn(scene, '/integrations/twilio')
  const sid = page.getByLabel('Account SID')
  const number = page.getByLabel('Phone number')
  await number.fill('+12025550100')
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByText('Please fill this in.').first()).toBeVisible()
  await expect(sid).toBeFocused()
  await expect(sid).toHaveAccessibleDescription(/Please fill this in\./)
  await expect(sid).toHaveAttribute('aria-invalid', 'true')
  await sid.fill('AC1')
  await expect(sid).not.toHaveAttribute('aria-invalid', 'true')
  await expect(number).not.toHaveAttribute('aria-invalid', 'true')
})

test('the language of the profile is applied even if a page that also reads it is left too early', async () => {
  const { page } = await openDashboard(scene)
  await call(scene.url, 'PUT', '/api/user_settings', { user_settings: { language: 'vi' } }, scene.token)
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/user_settings', async (route) => {
    await released
    await route.continue().catch(() => undefined)
  })
  await page.goto(`${scene.url}/settings/profile`)
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible()
  await page.getByRole('link', { name: 'Saved replies' }).click()
  await expect(page.getByRole('heading', { name: 'Saved replies', exact: true })).toBeVisible()
  release()
  await expect(page.locator('html')).toHaveAttribute('lang', 'vi')
})

/** As Safari's engine does for elements that are inserted while a style sheet is loading: an empty box, then the real one. */
const reportEmptyBoxesFirst = (page: Page) =>
  page.addInitScript(() => {
    const empty = [{ inlineSize: 0, blockSize: 0 }]
    window.ResizeObserver = class extends window.ResizeObserver {
      constructor(callback: ResizeObserverCallback) {
        const reported = new WeakSet<Element>()
        super((entries, observer) => {
          const first = entries.filter(({ target }) => !reported.has(target))
          for (const { target } of first) reported.add(target)
          const sizes = { contentRect: new DOMRect(), borderBoxSize: empty, contentBoxSize: empty }
          const reports = first.map(({ target }) => ({ ...sizes, devicePixelContentBoxSize: empty, target }))
          if (reports.length > 0) callback(reports, observer)
          requestAnimationFrame(() => callback(entries, observer))
        })
      }
    }
  })

test('a thread and the list show their lines, even if the browser first reports them as empty', async () => {
  const id = await startConversation('Nina')
  const { page } = await openDashboard(scene)
  await reportEmptyBoxesFirst(page)
  await page.goto(`${scene.url}/conversations/all/${id}`)
  await expect(page.getByRole('log').getByText('question of Nina')).toBeVisible()
  await expect(page.getByRole('link').filter({ hasText: 'question of Nina' }).first()).toBeVisible()
})
