import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

const asAda = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)

/** A customer whose website sends a plan and a renewal, writes. */
async function receive(name: string): Promise<{ id: string; customer_id: string }> {
  const metadata = { plan: 'platinum', renewal: '2027-01-31', seats: 12 }
  const { data: customer } = await asAda('POST', '/api/customers', { customer: { name, metadata } })
  const { data } = await asAda('POST', '/api/conversations', { conversation: { customer_id: customer.id } })
  const message = { conversation_id: data.id, customer_id: customer.id, body: 'Hello?' }
  await asAda('POST', '/api/messages', { message })
  return { id: data.id, customer_id: customer.id }
}

test('an admin names what the website sends, and the team sees and corrects it beside a conversation', async () => {
  const { id, customer_id } = await receive('Carla')
  const { page, faults } = await openSignedIn(scene, '/settings/attributes')
  await expect(page.getByText('No attributes yet')).toBeVisible()
  await expectNoFindings(page)
  // What is already sent is suggested, with its kind.
  await page.getByRole('button', { name: 'Use renewal' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Renewal')
  await expect(dialog.getByLabel('Kind')).toHaveValue('date')
  await expectNoFindings(page)
  await dialog.getByRole('button', { name: 'Create attribute' }).click()
  await expect(page.getByRole('row', { name: /Renewal/ })).toContainText('Date')
  await expect(page.getByRole('button', { name: 'Use renewal' })).toHaveCount(0)

  await page.getByRole('button', { name: 'New attribute' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('Plan')
  await dialog.getByLabel('Kind').selectOption({ label: 'Choice' })
  await dialog.getByLabel('Choices, one per line').fill('Gold\nSilver')
  await dialog.getByRole('button', { name: 'Create attribute' }).click()
  const plan = page.getByRole('row', { name: /Plan/ })
  await expect(plan).toContainText('Gold, Silver')
  await plan.getByRole('button', { name: 'Move Plan up' }).click()
  await expect(page.getByRole('row').nth(1)).toContainText('Plan')
  // Removing a choice asks first.
  await plan.getByRole('button', { name: 'Edit Plan' }).click()
  await dialog.getByLabel('Choices, one per line').fill('Gold\nBronze')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('Confirm below that choices are removed')
  await dialog.getByLabel('Remove Silver').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(plan).toContainText('Gold, Bronze')
  // Another admin's attribute appears at once.
  const area = { subject: 'conversation', key: 'area', name: 'Area', kind: 'text' }
  await asAda('POST', '/api/attribute_definitions', { attribute_definition: area })
  await expect(page.getByRole('row', { name: /Area/ })).toBeVisible()
  await expectNoFindings(page)

  await page.goto(`${scene.url}/conversations/all/${id}`)
  const customer = page.getByRole('region', { name: 'Attributes of the customer' })
  await expect(customer).toContainText('Does not fit')
  await expect(customer).toContainText('platinum')
  await expectNoFindings(page)
  await customer.getByRole('button', { name: 'Edit Plan' }).click()
  await customer.getByLabel('Plan').selectOption({ label: 'Gold' })
  await customer.getByRole('button', { name: 'Save' }).click()
  await expect(customer).not.toContainText('Does not fit')
  // What did not fit cannot be brought back; what did can.
  await expect(page.getByText('Plan changed')).toBeVisible()
  await expect(page.getByRole('button', { name: /Undo/ })).toHaveCount(0)
  // The keyboard goes on where it was, Escape keeps what was there, and a bad value says why.
  await expect(customer.getByRole('button', { name: 'Edit Plan' })).toBeFocused()
  const conversation = page.getByRole('region', { name: 'Attributes of the conversation' })
  await conversation.getByRole('button', { name: 'Edit Area' }).click()
  await page.keyboard.type('x'.repeat(1001))
  await page.keyboard.press('Enter')
  await expect(conversation).toContainText('Enter at most 1,000 characters.')
  await conversation.getByLabel('Area').fill('Billing')
  await page.keyboard.press('Enter')
  await expect(conversation).toContainText('Billing')
  await conversation.getByRole('button', { name: 'Edit Area' }).click()
  await conversation.getByLabel('Area').fill('Nothing')
  await page.keyboard.press('Escape')
  await expect(conversation).toContainText('Billing')
  await conversation.getByRole('button', { name: 'Edit Area' }).click()
  await conversation.getByLabel('Area').fill('Shipping')
  await page.keyboard.press('Enter')
  await expect(conversation).toContainText('Shipping')
  await page.getByRole('button', { name: /Undo/ }).click()
  await expect(conversation).toContainText('Billing')
  // The key undoes, too: here a value that was cleared.
  await customer.getByRole('button', { name: 'Edit Renewal' }).click()
  await customer.getByLabel('Renewal').fill('')
  await page.keyboard.press('Enter')
  await expect(customer).not.toContainText('2027')
  await expect(page.getByText('Renewal changed')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(customer).toContainText('2027')

  // What somebody else sets appears at once, beside the own values, and on the customer's page.
  const values = { attributes: { renewal: '2028-02-29' } }
  await asAda('PUT', `/api/customers/${customer_id}/attributes`, values)
  await expect(customer).toContainText('2028')
  await page.goto(`${scene.url}/customers/${customer_id}`)
  await expect(page.getByRole('region', { name: 'Attributes of the customer' })).toContainText('Gold')
  // What is no attribute is shown as it was sent.
  await expect(page.getByRole('row', { name: /seats/ })).toContainText('12')
  await expectNoFindings(page)

  // In the list a person chooses attributes as columns, also after a reload.
  await page.goto(`${scene.url}/customers`)
  await page.getByRole('combobox', { name: 'Columns' }).click()
  await page.getByRole('option', { name: 'Plan' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: 'Plan' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('row', { name: /Carla/ })).toContainText('Gold')
  await expectNoFindings(page)

  await page.goto(`${scene.url}/settings/attributes`)
  await page.getByRole('button', { name: 'Delete Plan' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(plan).toHaveCount(0)
  expect(faults).toEqual([])
})
