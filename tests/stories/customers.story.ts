import type { Locator } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openDashboard, openSignedIn, type Scene, setScene, writeInShop } from './scene.ts'

let scene: Scene
let carla_id: string

const send = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)

beforeAll(async () => {
  scene = await setScene()
  await writeInShop(scene, 'do you have it in oak?')
  carla_id = (await send('GET', '/api/customers')).data[0].id
  await send('PUT', `/api/customers/${carla_id}`, {
    customer: { name: 'Carla Reyes', email: 'carla@customer.test', metadata: { plan: 'gold' } },
  })
  const tag = await send('POST', '/api/tags', { tag: { name: 'trade', color: 'purple' } })
  await send('POST', `/api/customers/${carla_id}/tags`, { tag_id: tag.data.id })
})
afterAll(() => scene.close())

test('a new customer is added in a dialog, and a colleague sees the row at once', async () => {
  const ada = await openSignedIn(scene, '/customers')
  const other = await openSignedIn(scene, '/customers')
  for (const { page } of [ada, other]) await expect(page.getByRole('heading', { name: 'Customers' })).toBeVisible()
  await expect(other.page.getByRole('row').filter({ hasText: 'Carla Reyes' })).toContainText('Online now')
  await expect(other.page.getByRole('row').filter({ hasText: 'Carla Reyes' })).not.toContainText('ago')
  await ada.page.getByRole('button', { name: 'New customer' }).click()
  const dialog = ada.page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Fill in at least one field.')).toBeVisible()
  await dialog.getByLabel('Email').fill('tom@customer.test')
  await dialog.getByLabel('Name').fill('Tom Hale')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  for (const { page } of [ada, other])
    await expect(page.getByRole('link', { name: 'Tom Hale', exact: true })).toBeVisible()
  const initials = other.page.getByRole('row').filter({ hasText: 'Tom Hale' }).locator('[data-initials]')
  expect(await initials.evaluate((mark) => getComputedStyle(mark, '::before').content)).toBe('"TH"')
  expect([...ada.faults, ...other.faults]).toEqual([])
})

test('search, tags and anonymous are in the URL, and can be saved as a filter', async () => {
  const { page, faults } = await openSignedIn(scene, '/customers')
  await expect(page.getByRole('checkbox', { name: 'Include anonymous' })).toBeChecked()
  await page.getByRole('searchbox', { name: 'Search customers...' }).fill('reyes')
  await expect(page).toHaveURL(/q=reyes/)
  await expect(page.getByRole('link', { name: 'Tom Hale', exact: true })).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Include anonymous' }).uncheck()
  await page.getByRole('button', { name: 'Save filter' }).click()
  await page.getByRole('dialog').getByLabel('Name of the filter').fill('Reyes')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Delete filter' })).toBeVisible()

  await page.goto(`${scene.url}/customers`)
  await expect(page.getByRole('link', { name: 'Tom Hale', exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: 'Saved filters' }).click()
  await page.getByRole('option', { name: 'Reyes', exact: true }).click()
  await expect(page.getByRole('searchbox', { name: 'Search customers...' })).toHaveValue('reyes')
  await expect(page.getByRole('checkbox', { name: 'Include anonymous' })).not.toBeChecked()
  await page.getByRole('button', { name: 'Delete filter' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByRole('button', { name: 'Save filter' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search customers...' }).fill('nobody at all')
  await expect(page.getByRole('heading', { name: 'No customer found' })).toBeVisible()
  expect(faults).toEqual([])
})

test('customers are imported from a file: its columns are shown, and failed rows are reported', async () => {
  const { page, faults } = await openSignedIn(scene, '/customers')
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('CSV file').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Full name,E-mail,Plan\nMina Okafor,mina@customer.test,gold\nBroken,not-an-address,gold\n'),
  })
  await expect(dialog.getByText('2 rows in people.csv.')).toBeVisible()
  await dialog.getByLabel(/Full name/).selectOption('name')
  await dialog.getByLabel(/E-mail/).selectOption('email')
  await dialog.getByLabel(/Plan/).selectOption('metadata')
  await expect(dialog.getByLabel('Character encoding')).toHaveValue('utf-8')
  await dialog.getByRole('button', { name: 'Start the import' }).click()
  await expect(dialog.getByText('Done: 1 added, 0 updated, 1 left out.')).toBeVisible()
  await expect(dialog.getByText(/^Row 2:/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('link', { name: 'Mina Okafor', exact: true })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  expect((await download).suggestedFilename()).toBe('customers.csv')
  expect(faults).toEqual([])
})

test('the profile shows a customer’s data; its tabs are in the URL, and conversations open in a dialog', async () => {
  const { page, faults } = await openSignedIn(scene, '/customers?q=carla')
  // The list stays visible until the code of the profile has loaded.
  let pass = () => {}
  const passed = new Promise<void>((done) => {
    pass = done
  })
  await page.route('**/assets/CustomerPage*.js', (route) => passed.then(() => route.continue()))
  await page.getByRole('link', { name: 'Carla Reyes', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(carla_id))
  await expect(page.getByLabel('Search customers...')).toHaveValue('carla')
  pass()
  await expect(page.getByRole('heading', { name: 'Carla Reyes', level: 1 })).toBeVisible()
  await page.goto(`${scene.url}/v1/customers/${carla_id}`)
  const panel = page.getByRole('complementary', { name: 'Customer details' })
  for (const text of [carla_id, 'carla@customer.test', 'gold', 'trade']) await expect(panel).toContainText(text)
  await expect(page.getByRole('button', { name: 'New conversation' })).toBeDisabled()
  await page.getByRole('button', { name: /do you have it in oak/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Conversation with Carla Reyes' })
  await expect(dialog.getByRole('link', { name: 'View in dashboard' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close', exact: true }).first().click()
  await page.getByRole('tab', { name: 'Notes' }).click()
  await expect(page).toHaveURL(/tab=notes/)
  await page.getByPlaceholder('Write a note, Enter saves it').fill('Likes **oak**')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Likes oak')).toBeVisible()
  await page.getByRole('tab', { name: 'Notes' }).press('ArrowRight')
  await expect(page).toHaveURL(/tab=issues/)
  await page.getByRole('link', { name: 'Back to all customers' }).click()
  await expect(page).toHaveURL(/\/customers$/)
  expect(faults).toEqual([])
})

test('a duplicate is merged and restored, and deleting a customer leads back to the list after a moment', async () => {
  const { page, faults } = await openSignedIn(scene, `/customers/${carla_id}`)
  const act = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await act('Block')
  await expect(page.getByText('Blocked')).toBeVisible()
  await act('Unblock')
  // With the keyboard alone: into the menu, into the dialog, and back to the button; then the page's own keys work
  // again.
  const more = page.getByRole('button', { name: 'More actions' })
  await more.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Block', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Merge a duplicate' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('The duplicate')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  await act('Merge a duplicate')
  await page.getByRole('dialog').getByLabel('The duplicate').fill('tom')
  await page.getByRole('option', { name: 'Tom Hale (tom@customer.test)', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
  await expect(page.getByText('Customers merged')).toBeVisible()
  await page.reload()
  await act('Undo the last merge')
  await expect(page.getByText('Merge undone')).toBeVisible()
  await expect.poll(async () => (await send('GET', '/api/customers?q=tom')).data.length).toBe(1)

  const mina = (await send('GET', '/api/customers?q=mina')).data[0]
  await page.goto(`${scene.url}/customers/${mina.id}`)
  await act('Delete customer')
  await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Mina Okafor successfully deleted.')).toBeVisible()
  await expect(page).toHaveURL(/\/customers$/)
  await expect(page.getByRole('link', { name: 'Mina Okafor', exact: true })).toHaveCount(0)
  await page.goto(`${scene.url}/customers/${mina.id}`)
  await expect(page.getByRole('heading', { name: 'Error retrieving customer' })).toBeVisible()
  expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
})

test('a customer is found, opened and changed with the keyboard alone', async () => {
  const { page, faults } = await openSignedIn(scene, '/customers')
  await tabTo(page.getByRole('searchbox', { name: 'Search customers...' }))
  await page.keyboard.type('reyes')
  await expect(page).toHaveURL(/q=reyes/)
  await expect(page.getByRole('link', { name: 'Tom Hale', exact: true })).toHaveCount(0)
  await tabTo(page.getByRole('checkbox', { name: 'Include anonymous' }))
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(/include_anonymous=false/)
  await tabTo(page.getByRole('link', { name: 'Carla Reyes', exact: true }))
  await page.keyboard.press('Enter')
  const edit = page.getByRole('button', { name: 'Edit', exact: true })
  await tabTo(edit)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await tabTo(dialog.getByLabel('Phone'))
  await page.keyboard.type('+49 30 1234')
  await tabTo(dialog.getByRole('button', { name: 'Save' }))
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('+49 30 1234')).toBeVisible()
  await expect(edit).toBeFocused()
  await tabTo(page.getByRole('link', { name: 'Back to all customers' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/customers$/)
  expect(faults).toEqual([])
})

test('one box finds customers, tags and conversations', async () => {
  const { page, faults } = await openDashboard(scene)
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: 'Search commands and pages' })
  await box.fill('carla reyes')
  await page.getByRole('option').filter({ hasText: 'Carla Reyes (carla@customer.test)' }).click()
  await expect(page).toHaveURL(new RegExp(`/customers/${carla_id}$`))
  await page.keyboard.press('Control+k')
  await box.fill('oak')
  await expect(page.getByRole('option').filter({ hasText: 'do you have it in oak?' })).toBeVisible()
  await box.fill('trade')
  await page.getByRole('option').filter({ hasText: 'trade' }).first().click()
  await expect(page).toHaveURL(/\/tags\//)
  await expect(page.getByRole('button', { name: 'Carla Reyes' })).toBeVisible()
  expect(faults).toEqual([])
})

/** Presses the key until the element has focus, as somebody without a mouse does. */
async function tabTo(target: Locator, key = 'Tab') {
  await expect(target).toBeVisible()
  for (let i = 0; i < 60; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await target.page().keyboard.press(key)
  }
  throw new Error(`${target} is not reached with ${key}.`)
}

test('the order of the list is chosen, by attributes, too; it is in the URL, and pages follow in it', async () => {
  const draft = { subject: 'customer', key: 'seats', name: 'Seats', kind: 'number' }
  await send('POST', '/api/attribute_definitions', { attribute_definition: draft })
  for (let seats = 1; seats <= 12; seats++) {
    const customer = { name: `Seated ${seats}`, email: `seated${seats}@customer.test`, metadata: { seats } }
    await send('POST', '/api/customers', { customer })
  }
  const { page, faults } = await openSignedIn(scene, '/customers?q=seated')
  const names = page.getByRole('main').getByRole('link', { name: /^Seated \d+$/ })
  await page.getByLabel('Sort by').selectOption({ label: 'Seats, descending' })
  await expect(page).toHaveURL(/order=attribute/)
  await expect(page.getByRole('columnheader', { name: 'Seats' })).toBeVisible()
  await expect(names).toHaveText([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((seats) => `Seated ${seats}`))
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(names).toHaveText(['Seated 2', 'Seated 1'])
  await page.reload()
  await expect(names).toHaveText(['Seated 2', 'Seated 1'])
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(names.first()).toHaveText('Seated 12')
  await page.getByLabel('Sort by').selectOption({ label: 'Name, A to Z' })
  await expect(names.first()).toHaveText('Seated 1')
  await page.getByLabel('Sort by').selectOption({ label: 'Last seen' })
  await expect(page).not.toHaveURL(/order/)
  await expectNoFindings(page, 'main')
  expect(faults).toEqual([])
})
