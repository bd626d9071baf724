import type { Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openConversation, openDashboard, type Scene, setScene, writeInShop } from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
  const shop = await writeInShop(scene, 'do you have it in oak?')
  await shop.context().close()
  await call(scene.url, 'POST', '/api/companies', { company: { name: 'Harbour Studio' } }, scene.token)
  await call(scene.url, 'POST', '/api/issues', { issue: { title: 'Lamp flickers' } }, scene.token)
})
afterAll(() => scene.close())

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Customer details' })

async function openCustomerMenu(page: Page) {
  await panelOf(page).getByRole('button', { name: 'More actions' }).click()
  return page.getByRole('menuitem', { name: 'Edit customer' })
}

async function editCustomer(page: Page) {
  await (await openCustomerMenu(page)).click()
}

test('an agent names a visitor, and a colleague sees the name in list, header, thread and panel at once', async () => {
  const ada = await openDashboard(scene)
  const other = await openDashboard(scene)
  for (const { page } of [ada, other]) await openConversation(page, 'do you have it in oak?')
  await editCustomer(ada.page)
  const dialog = ada.page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Carla Reyes')
  await dialog.getByLabel('Email').fill('carla@customer.test')
  await dialog.getByLabel('Company').click()
  await ada.page.getByRole('option', { name: 'Harbour Studio', exact: true }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(ada.page.getByText('Customer successfully updated')).toBeVisible()
  await expect(panelOf(other.page).getByRole('heading', { name: 'Carla Reyes' })).toBeVisible()
  await expect(panelOf(other.page).getByRole('link', { name: 'Harbour Studio' })).toBeVisible()
  await expect(other.page.getByRole('link').filter({ hasText: 'Carla Reyes' }).first()).toBeVisible()
  expect([...ada.faults, ...other.faults]).toEqual([])
})

test('after an update of the server an outdated dialog or page shows an error, and the others keep working', async () => {
  const { page } = await openDashboard(scene)
  await openConversation(page, 'do you have it in oak?')
  await page.getByPlaceholder('Write a reply').fill('Yes, in')
  const edit = await openCustomerMenu(page)
  await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }))
  await edit.click()
  await expect(page.getByRole('alert')).toContainText('A part of this page could not be loaded')
  await expect(page.getByPlaceholder('Write a reply')).toHaveValue('Yes, in')
  await page.getByRole('link', { name: 'Reporting' }).click()
  await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible()
  await page.getByRole('link', { name: 'Inbox' }).click()
  await openConversation(page, 'Yes, in')
  await expect(page.getByPlaceholder('Write a reply')).toHaveValue('Yes, in')
  await page.getByPlaceholder('Write a reply').fill('')
})

test('Cancel discards changes, and a refused address is shown in the dialog', async () => {
  const { page } = await openDashboard(scene)
  await openConversation(page, 'do you have it in oak?')
  await editCustomer(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Somebody else')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await editCustomer(page)
  await expect(dialog.getByLabel('Name')).toHaveValue('Carla Reyes')
  await dialog.getByLabel('Name').fill('x'.repeat(301))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('at most 300')
})

test('notes, tags and issues of a customer are edited beside the conversation, for every colleague', async () => {
  const ada = await openDashboard(scene)
  const other = await openDashboard(scene)
  for (const { page } of [ada, other]) await openConversation(page, 'do you have it in oak?')
  const panel = panelOf(ada.page)
  const seen = panelOf(other.page)
  const write = panel.getByPlaceholder('Write a note, Enter saves it')
  await write.fill('  ')
  await write.press('Enter')
  await write.fill('Prefers **oak**')
  await write.press('Enter')
  await expect(write).toHaveValue('')
  await expect(seen.getByText('Prefers oak')).toBeVisible()
  await expect(seen.getByRole('button', { name: 'Delete note' })).toHaveCount(1)

  await panel.getByRole('button', { name: 'Edit customer tags' }).click()
  await panel.getByRole('combobox', { name: 'Choose or create tags' }).fill('trade')
  await ada.page.keyboard.press('Enter')
  await panel.getByRole('button', { name: 'Done' }).click()
  await expect(seen.getByText('trade')).toBeVisible()

  for (const each of [panel, seen]) await each.getByRole('tab', { name: 'Issues' }).click()
  await panel.getByRole('button', { name: 'Link an issue' }).click()
  const dialog = ada.page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Link existing issue' })).toBeDisabled()
  await dialog.getByLabel('Existing issue').click()
  await ada.page.getByRole('option', { name: 'Lamp flickers', exact: true }).click()
  await dialog.getByRole('button', { name: 'Link existing issue' }).click()
  await expect(seen.getByRole('link', { name: 'Lamp flickers' })).toBeVisible()
  await panel.getByRole('button', { name: 'Actions for Lamp flickers' }).click()
  await expect(ada.page.getByRole('menuitem', { name: 'Move to unstarted' })).toHaveCount(0)
  await ada.page.getByRole('menuitem', { name: 'Move to done' }).click()
  await expect(seen.getByText('Done', { exact: true })).toBeVisible()

  for (const each of [panel, seen]) await each.getByRole('tab', { name: 'Notes' }).click()
  await panel.getByRole('button', { name: 'Delete note' }).click()
  await ada.page.getByRole('button', { name: 'Yes' }).click()
  await expect(seen.getByText('Prefers oak')).toHaveCount(0)
  expect([...ada.faults, ...other.faults]).toEqual([])
})

test('folded sections stay folded, the last tab opens again, and axe finds nothing in the panel', async () => {
  const { page } = await openDashboard(scene)
  await openConversation(page, 'do you have it in oak?')
  await panelOf(page).getByRole('button', { name: 'Device' }).click()
  await panelOf(page).getByRole('tab', { name: 'Issues' }).click()
  await page.reload()
  await expect(panelOf(page).getByRole('button', { name: 'Device' })).toHaveAttribute('aria-expanded', 'false')
  await expect(panelOf(page).getByRole('link', { name: 'Lamp flickers' })).toBeVisible()
  await expectNoFindings(page, 'aside[aria-label="Customer details"]')
})
