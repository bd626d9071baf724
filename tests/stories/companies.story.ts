import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, openDashboard, openSignedIn, type Scene, setScene, writeInShop } from './scene.ts'

let scene: Scene
let carla_id: string

const send = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)

beforeAll(async () => {
  scene = await setScene()
  const shop = await writeInShop(scene, 'do you have it in oak?')
  await shop.context().close()
  carla_id = (await send('GET', '/api/customers')).data[0].id
  await send('PUT', `/api/customers/${carla_id}`, { customer: { name: 'Carla Reyes' } })
})
afterAll(() => scene.close())

test('a company is created, shows its customers and their conversations, and a colleague sees its new name', async () => {
  const ada = await openSignedIn(scene, '/companies')
  const other = await openSignedIn(scene, '/companies')
  const { page } = ada
  await expect(page.getByRole('heading', { name: 'No companies yet' })).toBeVisible()
  await page.getByRole('link', { name: 'New company' }).click()
  await page.getByLabel('Name').fill('Harbour Studio')
  await page.getByLabel('Website').fill('harbour.example')
  await page.getByRole('button', { name: 'Create company' }).click()
  await expect(page).toHaveURL(/\/companies\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('button', { name: 'Delete company' })).toBeVisible()
  for (const name of ['Name', 'Description', 'Website']) {
    await expect(other.page.getByRole('columnheader', { name, exact: true })).toBeVisible()
  }
  await expect(other.page.getByRole('link', { name: 'harbour.example' })).toBeVisible()

  const company_id = new URL(page.url()).pathname.split('/').at(-1)
  await send('PUT', `/api/customers/${carla_id}`, { customer: { company_id } })
  await expect(page.getByRole('button', { name: 'Carla Reyes', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete company' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /do you have it in oak/ })).toBeVisible()

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Name').fill('Harbour & Sons')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Harbour & Sons' })).toBeVisible()
  await expect(other.page.getByRole('cell', { name: 'Harbour & Sons', exact: true })).toBeVisible()
  expect([...ada.faults, ...other.faults]).toEqual([])
})

test('a customer is previewed in a dialog with a link to the full profile', async () => {
  const { page, faults } = await openSignedIn(scene, '/companies')
  // Its name is a link as well, and the whole row with it.
  await page.getByRole('link', { name: 'Harbour & Sons', exact: true }).click()
  await page.getByRole('button', { name: 'Carla Reyes', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Carla Reyes' })
  await expect(dialog.getByRole('button', { name: 'New conversation' })).toBeDisabled()
  await dialog.getByRole('link', { name: 'View full profile' }).click()
  await expect(page).toHaveURL(new RegExp(`/customers/${carla_id}$`))
  expect(faults).toEqual([])
})

test('a company without customers is deleted after confirmation, and an unknown one shows an error', async () => {
  const { page, faults } = await openDashboard(scene)
  const { id } = (await send('POST', '/api/companies', { company: { name: 'Gone Ltd' } })).data
  await page.goto(`${scene.url}/companies/${id}`)
  await page.getByRole('button', { name: 'Delete company' }).click()
  await page.getByRole('button', { name: 'Yes', exact: true }).click()
  await expect(page.getByText('Gone Ltd successfully deleted.')).toBeVisible()
  await expect(page).toHaveURL(/\/companies$/)
  await expect(page.getByRole('cell', { name: 'Gone Ltd', exact: true })).toHaveCount(0)
  await page.goto(`${scene.url}/companies/${id}`)
  await expect(page.getByRole('heading', { name: 'Error retrieving company' })).toBeVisible()
  expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
})

test('everything of a customer is erased once their name is typed, and was exported before', async () => {
  const { page, faults } = await openSignedIn(scene, `/customers/${carla_id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export all data' }).click()
  expect((await download).suggestedFilename()).toBe(`customer-${carla_id}.json`)
  // Pressed while the menu is still closing, the button would close it again.
  await expect(page.getByRole('menuitem', { name: 'Export all data' })).toBeHidden()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Erase everything' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type Carla Reyes to confirm').fill('Carla')
  await dialog.getByRole('button', { name: 'Erase', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('This is not the name.')
  await dialog.getByLabel('Type Carla Reyes to confirm').fill('Carla Reyes')
  await dialog.getByRole('button', { name: 'Erase', exact: true }).click()
  await expect(page).toHaveURL(/\/customers$/)
  await expect(page.getByText('Carla Reyes', { exact: true })).toHaveCount(0)
  // The event may arrive long enough before the answer that the page asks once more for what is gone.
  expect(faults.filter((fault) => !/^Not saved|404/.test(fault))).toEqual([])
})
