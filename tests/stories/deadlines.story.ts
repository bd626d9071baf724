import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openDashboard, openSignedIn, type Scene, setScene } from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

const asAda = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)

/** A customer writes. */
async function receive(name: string, body: string): Promise<string> {
  const { data: customer } = await asAda('POST', '/api/customers', { customer: { name } })
  const { data } = await asAda('POST', '/api/conversations', { conversation: { customer_id: customer.id } })
  await asAda('POST', '/api/messages', { message: { conversation_id: data.id, customer_id: customer.id, body } })
  return data.id
}

test('an admin says how soon customers are answered, and each conversation shows the time that is left', async () => {
  const { page, faults } = await openSignedIn(scene, '/settings/deadlines')
  await expect(page.getByText('No deadlines yet')).toBeVisible()
  await page.getByRole('button', { name: 'New policy' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Everybody')
  await dialog.getByRole('textbox', { name: 'First reply within' }).fill('2')
  await dialog.getByLabel('Count only working hours').uncheck()
  await expectNoFindings(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row', { name: /Everybody/ })
  await expect(row).toContainText('First reply: 2 hr')

  // Another admin's policy appears at once, and policies can be put into another order, switched off and deleted.
  const policy = { name: 'Later', first_reply_minutes: 30, in_working_hours: false }
  await asAda('POST', '/api/deadline_policies', { policy })
  const later = page.getByRole('row', { name: /Later/ })
  await expect(later).toBeVisible()
  await later.getByRole('button', { name: 'Move up: Later' }).click()
  await expect(page.getByRole('row').nth(1)).toContainText('Later')
  await later.getByRole('button', { name: 'Switch off: Later' }).click()
  await expect(later).toContainText('Off')
  await expectNoFindings(page)
  await later.getByRole('button', { name: 'Delete Later' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(later).toHaveCount(0)

  await receive('Carla', 'Is it open today?')
  await page.goto(`${scene.url}/conversations/all`)
  const item = page.getByRole('link', { name: /Carla/ })
  await expect(item).toContainText(/1h left|2h left/)
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page.getByRole('heading', { name: 'Due first' })).toBeVisible()
  // Only what is overdue, by one press; the address keeps it.
  const overdue = page.getByRole('checkbox', { name: 'Overdue only' })
  await overdue.check()
  await expect(page).toHaveURL(/\/conversations\/due\/overdue$/)
  await expect(item).toHaveCount(0)
  await page.reload()
  await expect(overdue).toBeChecked()
  await expectNoFindings(page)
  await overdue.uncheck()
  await item.click()
  await expect(page.locator('header').getByText(/left$/)).toBeVisible()
  await expectNoFindings(page)
  // The answer ends the deadline, and the conversation leaves the view of what is due.
  await asAda('POST', '/api/messages', {
    message: { conversation_id: page.url().split('/').at(-1), body: 'Until six.' },
  })
  await expect(page.locator('header').getByText(/left$/)).toHaveCount(0)
  expect(faults).toEqual([])
})

const CALENDAR = `BEGIN:VCALENDAR
BEGIN:VEVENT
DTSTART;VALUE=DATE:20991224
SUMMARY:Christmas Eve
END:VEVENT
END:VCALENDAR
`

test('closed days are added by hand or from a calendar, and an inbox can have its own hours', async () => {
  const { page, faults } = await openSignedIn(scene, '/settings/account')
  await page.getByLabel('Date', { exact: true }).fill('2099-05-01')
  await page.locator('form').filter({ hasText: 'Add day' }).getByLabel('Name').fill('Labour Day')
  await page.getByLabel('Every year on this date').check()
  await page.getByLabel('Open for some hours').check()
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Add day' }).click()
  await expect(page.getByText('Labour Day · every year · 9:00 AM – 12:00 PM')).toBeVisible()
  const file = { name: 'holidays.ics', mimeType: 'text/calendar', buffer: Buffer.from(CALENDAR) }
  await page.getByLabel('Import a calendar').setInputFiles(file)
  await expect(page.getByText('Christmas Eve')).toBeVisible()
  await page.getByRole('button', { name: 'Remove day: Labour Day' }).click()
  await expect(page.getByText('Labour Day')).toHaveCount(0)
  const { data } = await asAda('GET', '/api/accounts/me')
  expect(data.closed_days).toEqual([{ date: '2099-12-24', name: 'Christmas Eve', yearly: false, periods: [] }])

  const { data: inbox } = await asAda('GET', '/api/inboxes/primary')
  await page.goto(`${scene.url}/inboxes/${inbox.id}`)
  await page.getByRole('button', { name: 'Edit Working Hours' }).click()
  await page.getByLabel('Same hours as the company').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Everyday, 12:00 AM – 11:59 PM')).toBeVisible()
  const hours = [{ day: 'everyday', start_minute: 0, end_minute: 1439 }]
  expect((await asAda('GET', `/api/inboxes/${inbox.id}`)).data.working_hours).toEqual(hours)
  expect(faults).toEqual([])
})

test('what was met and missed is in the reports', async () => {
  const { page, faults } = await openDashboard(scene)
  await page.goto(`${scene.url}/reporting`)
  await expect(page.getByRole('region', { name: 'Deadlines' })).toContainText('Everybody')
  expect(faults).toEqual([])
})
