import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

let scene: Scene
const BEN = { email: 'ben@acme.test', password: 'correct horse battery' }

beforeAll(async () => {
  scene = await setScene()
  const { data } = await call(scene.url, 'POST', '/api/user_invitations', {}, scene.token)
  const user = { ...BEN, password_confirmation: BEN.password, invite_token: data.id }
  await call(scene.url, 'POST', '/api/registration', { user })
  await call(scene.url, 'POST', '/api/tags', { tag: { name: 'refund' } }, scene.token)
})
afterAll(() => scene.close())

async function write(body: string): Promise<string> {
  const token = `visitor-${crypto.randomUUID()}-${crypto.randomUUID()}`
  const { url, account_id } = scene
  const visitor_session = { account_id, token, customer_id: crypto.randomUUID(), customer: { name: body } }
  await call(url, 'POST', '/api/visitor_sessions', { visitor_session })
  const { data } = await call(url, 'POST', '/api/conversations', { conversation: {} }, token)
  await call(url, 'POST', '/api/messages', { message: { conversation_id: data.id, body } }, token)
  return data.id
}

async function tagAsRefund(id: string): Promise<void> {
  const { data } = await call(scene.url, 'GET', '/api/tags', undefined, scene.token)
  await call(scene.url, 'POST', `/api/conversations/${id}/tags`, { tag_id: data[0].id }, scene.token)
}

test('an admin makes a view for the team; its list follows what two people do, and the address can be shared', async () => {
  const { page: ada } = await openSignedIn(scene, '/conversations/unassigned')
  await ada.getByRole('button', { name: 'Save as view' }).click()
  const dialog = ada.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Refunds')
  await dialog.getByRole('button', { name: 'Add a condition' }).click()
  await dialog.getByLabel('Field').last().selectOption('Tag')
  await expect(dialog.getByRole('status')).toHaveText('Complete or remove the conditions without a value.')
  await dialog.getByRole('combobox', { name: 'Value' }).last().fill('ref')
  await ada.getByRole('option', { name: 'refund' }).click()
  await ada.keyboard.press('Tab')
  await expect(dialog.getByRole('status')).toHaveText('0 conversations')
  await dialog.getByLabel('For the whole team').check()
  await expectNoFindings(ada, '[role=dialog]')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(ada.getByRole('heading', { name: 'Refunds', level: 1 })).toBeVisible()
  await expect(ada.getByText('Nothing in this view')).toBeVisible()
  await expect(ada.getByText('Status is open and Assignee is nobody and Tag is refund')).toBeVisible()
  await expectNoFindings(ada)

  const { page: ben } = await openSignedIn(scene, new URL(ada.url()).pathname, {}, BEN)
  await expect(ben.getByRole('heading', { name: 'Refunds', level: 1 })).toBeVisible()
  const first = await write('My money back')
  await tagAsRefund(first)
  const second = await write('A refund as well')
  await tagAsRefund(second)
  const rows = (page: typeof ada) =>
    page.locator('a[href*="/conversations/views/"][href*="-"]').filter({ hasText: /back|well/ })
  for (const page of [ada, ben]) await expect(rows(page)).toHaveCount(2)
  const entry = ada.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: /Refunds/ })
  await expect(entry).toContainText('2 in all')

  // Whoever has it open keeps it in the list; for the other person it leaves.
  await rows(ada).filter({ hasText: 'My money back' }).click()
  await ada.getByRole('button', { name: /^Assignee/ }).click()
  await ada.getByRole('menuitemradio', { name: /ada/ }).click()
  await expect(rows(ben)).toHaveText([/A refund as well/])
  await expect(rows(ada)).toHaveCount(2)
  await rows(ada).filter({ hasText: 'A refund as well' }).click()
  await expect(rows(ada)).toHaveText([/A refund as well/])
  await expect(entry).toContainText('1 in all')
  await ben.reload()
  await expect(rows(ben)).toHaveText([/A refund as well/])

  await ben.getByRole('button', { name: 'View options' }).click()
  await expect(ben.getByRole('menuitem')).toHaveText(['Save a copy'])
})

test('a view asks for attributes; its list follows them, and it says when one was deleted', async () => {
  const define = (subject: string, key: string, name: string, kind: string, choices: string[] = []) =>
    call(
      scene.url,
      'POST',
      '/api/attribute_definitions',
      { attribute_definition: { subject, key, name, kind, choices } },
      scene.token,
    )
  await define('customer', 'seats', 'Seats', 'number')
  const { data: area } = await define('conversation', 'area', 'Area', 'choice', ['Billing', 'Shipping'])
  await define('conversation', 'since', 'Since', 'date')
  const id = await write('Where is my parcel?')
  const { page, faults } = await openSignedIn(scene, '/conversations/all')
  await page.getByRole('button', { name: 'Save as view' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Shipping')
  await dialog.getByRole('button', { name: 'Add a condition' }).click()
  await dialog.getByLabel('Field').last().selectOption('Conversation’s attribute')
  await expect(dialog.getByLabel('Attribute')).toHaveValue('area')
  await dialog.getByLabel('Attribute').selectOption('Since')
  await dialog.getByLabel('Comparison').last().selectOption('is after')
  await dialog.getByLabel('Value').last().fill('2026-01-31')
  await expect(dialog.getByRole('status')).toHaveText('0 conversations')
  await expectNoFindings(page, '[role=dialog]')
  await dialog.getByLabel('Attribute').selectOption('Area')
  await dialog.getByRole('combobox', { name: 'Value' }).last().fill('ship')
  await page.getByRole('option', { name: 'Shipping' }).click()
  await dialog.getByLabel('Name', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  const looksFor = 'Status is open and Conversation’s attribute “Area” is Shipping'
  await expect(page.getByText(`It shows conversations where: ${looksFor}`, { exact: true })).toBeVisible()

  const set = (attributes: object) =>
    call(scene.url, 'PUT', `/api/conversations/${id}/attributes`, { attributes }, scene.token)
  const row = page.getByRole('link').filter({ hasText: 'Where is my parcel?' })
  await set({ area: 'Shipping' })
  await expect(row).toBeVisible()
  await set({ area: 'Billing' })
  await expect(row).toHaveCount(0)
  await set({ area: 'Shipping' })
  await call(scene.url, 'DELETE', `/api/attribute_definitions/${area.id}`, undefined, scene.token)
  await expect(page.getByText('Something that this view names was deleted.')).toBeVisible()
  await expect(row).toBeVisible()
  await page.getByRole('button', { name: 'View options' }).click()
  await page.getByRole('menuitem', { name: 'Edit view' }).click()
  await expect(dialog.getByLabel('Attribute').locator('option:checked')).toHaveText('area (deleted)')
  expect(faults).toEqual([])
})

test('views are found in the palette, put into order, renamed and deleted by keyboard', async () => {
  const view = (name: string) => ({
    view: { name, conditions: [[{ field: 'status', operator: 'is', values: ['open'] }]] },
  })
  for (const name of ['Early', 'Late'])
    await call(scene.url, 'POST', '/api/conversation_views', view(name), scene.token)
  const { page } = await openSignedIn(scene, '/conversations/all')
  const views = page.getByRole('navigation', { name: 'Views' })
  await expect(views.getByRole('link', { name: /Early/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type('view Late')
  await expect(page.getByRole('option', { name: 'Go to view Late' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Late', level: 1 })).toBeVisible()

  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'View options' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name }).focus()
    await page.keyboard.press('Enter')
  }
  await choose('Move up')
  await expect(views.getByRole('link', { name: /Early|Late/ })).toHaveText([/Late/, /Early/])
  await choose('Edit view')
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Latest')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Latest', level: 1 })).toBeVisible()
  await choose('Delete view')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'All conversations' })).toBeVisible()
  await expect(views.getByRole('link', { name: /Latest/ })).toHaveCount(0)
  await page.goBack()
  await expect(page.getByText('This view was deleted, or it belongs to somebody else.')).toBeVisible()
  await expectNoFindings(page)
})

test('a view works on a phone, and says what of it was deleted', async () => {
  const { data: tag } = await call(scene.url, 'POST', '/api/tags', { tag: { name: 'gone soon' } }, scene.token)
  const conditions = [[{ field: 'tags', operator: 'is', values: [tag.id] }]]
  const { data } = await call(
    scene.url,
    'POST',
    '/api/conversation_views',
    { view: { name: 'Odd', conditions } },
    scene.token,
  )
  const { page } = await openSignedIn(scene, `/conversations/views/${data.id}`, {
    viewport: { width: 390, height: 844 },
  })
  await expect(page.getByText('It shows conversations where: Tag is gone soon')).toBeVisible()
  await call(scene.url, 'DELETE', `/api/tags/${tag.id}`, undefined, scene.token)
  await expect(page.getByText('Something that this view names was deleted.')).toBeVisible()
  await page.getByRole('button', { name: 'View options' }).click()
  await page.getByRole('menuitem', { name: 'Edit view' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('deleted', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove condition' }).click()
  await dialog.getByRole('button', { name: 'Add a condition' }).click()
  await dialog.getByLabel('Field').selectOption('Age')
  await dialog.getByLabel('Comparison').selectOption('less than')
  await dialog.getByLabel('Unit').selectOption('days')
  await expect(dialog.getByRole('status')).toHaveText(/\d conversations?/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('link').filter({ hasText: 'A refund as well' })).toBeVisible()
  await expect(page.getByText('Something that this view names was deleted.')).toHaveCount(0)
  await expectNoFindings(page)
})
