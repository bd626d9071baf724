import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import {
  ADA,
  call,
  expectNoFindings,
  findConversation,
  openConversation,
  openDashboard,
  openSignedIn,
  type Scene,
  setScene,
  writeInShop,
} from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await setScene()
  await call(scene.url, 'POST', '/api/tags', { tag: { name: 'refund' } }, scene.token)
  await writeInShop(scene, 'I would like a refund')
})
afterAll(() => scene.close())

test('an admin writes a rule as a sentence, tries it, switches it on, and sees in a conversation what it did', async () => {
  const { page } = await openSignedIn(scene, '/settings/rules')
  await expect(page.getByText('No rules yet')).toBeVisible()
  await expectNoFindings(page, 'main')
  await page.getByRole('link', { name: 'New rule' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Refunds')
  await page.getByRole('button', { name: 'Add a condition' }).click()
  await page.getByLabel('Field').selectOption('Text')
  await page.getByRole('combobox', { name: 'Value' }).fill('refund,')
  await page.getByRole('button', { name: 'Add an action' }).click()
  await page.getByLabel('Action').selectOption('Add tag')
  await page.getByRole('button', { name: 'Try it' }).click()
  await expect(page.getByText('1 of 1 would have matched')).toBeVisible()
  await expectNoFindings(page, 'main')
  await page.getByLabel('Switched on').check()
  await page.getByRole('button', { name: 'Save' }).click()
  const rule = page.getByRole('listitem').filter({ hasText: 'Refunds' })
  await expect(rule).toContainText('When a customer writes')
  await expect(rule).toContainText('Add tag: refund')
  await expectNoFindings(page, 'main')

  await writeInShop(scene, 'Another refund, please')
  const { id } = await findConversation(scene, 'Another')
  await page.goto(`${scene.url}/conversations/all/${id}`)
  const history = page.getByRole('region', { name: 'Rules' })
  await expect(history).toContainText('Refunds')
  await expect(history).toContainText('Add tag: refund')
  await expectNoFindings(page)
})

test('rules are put into another order by dragging, buttons and keys, on a phone, too', async () => {
  const make = (name: string) =>
    call(
      scene.url,
      'POST',
      '/api/rules',
      { rule: { name, trigger: { on: 'team_message' }, actions: [{ action: 'add_note', body: name }] } },
      scene.token,
    )
  await make('Early')
  await make('Late')
  const { page } = await openSignedIn(scene, '/settings/rules', { viewport: { width: 390, height: 844 } })
  const names = page.getByRole('main').getByRole('listitem').getByRole('link')
  await page.getByRole('button', { name: 'Move Late up' }).click()
  await expect(names).toHaveText([/Refunds|Late/, /Late|Refunds/, 'Early'])
  await page.getByRole('link', { name: 'Early' }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(names.last()).toHaveText('Late')

  // The mouse drags the last one to the top; Escape puts one back.
  const lines = page.getByRole('main').getByRole('listitem')
  const middleOf = async (at: number) => {
    const box = await lines.nth(at).boundingBox()
    return { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
  }
  const [first, last] = [await middleOf(0), await middleOf(2)]
  await page.mouse.move(last.x, last.y)
  await page.mouse.down()
  await page.mouse.move(first.x, first.y - 10, { steps: 5 })
  await expect(page.locator('[data-dragged]')).toContainText('Late')
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-dragged]')).toHaveCount(0)
  await page.mouse.up()
  await expect(names.last()).toHaveText('Late')
  await page.mouse.move(last.x, last.y)
  await page.mouse.down()
  await page.mouse.move(first.x, first.y - 10, { steps: 5 })
  await page.mouse.up()
  await expect(names.first()).toHaveText('Late')
  // A finger drags it back.
  const touch = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  const [from, to] = [await middleOf(0), await middleOf(2)]
  await send('touchStart', from)
  await send('touchMove', { x: from.x, y: from.y + 20 })
  await send('touchMove', { x: to.x, y: to.y + 10 })
  await send('touchEnd')
  await expect(names.last()).toHaveText('Late')
  await expectNoFindings(page, 'main')
  const stored = async () => {
    const { data } = await call(scene.url, 'GET', '/api/rules', undefined, scene.token)
    return (data as { name: string }[]).at(-1)?.name
  }
  await expect.poll(stored).toBe('Late')
})

test('a macro is made, run by its key in a conversation, and undone', async () => {
  const { page } = await openSignedIn(scene, '/settings/macros')
  await page.getByRole('button', { name: 'New macro' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Hurry')
  await dialog.getByLabel('Text for the composer').fill('Hello {customer.name|there},')
  await dialog.getByRole('button', { name: 'Add an action' }).click()
  await dialog.getByLabel('Action').selectOption('Set priority')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('cell', { name: 'Hurry', exact: true })).toBeVisible()
  await expectNoFindings(page, 'main')

  const { page: inbox } = await openDashboard(scene)
  await openConversation(inbox, 'I would like a refund')
  await expect(inbox.getByPlaceholder('Write a reply')).toBeVisible()
  await inbox.getByPlaceholder('Write a reply').fill('Good morning!')
  await inbox.getByPlaceholder('Write a reply').blur()
  await inbox.keyboard.press('y')
  await inbox.getByRole('option', { name: 'Macro: Hurry' }).click()
  await expect(inbox.getByText('Hurry was run')).toBeVisible()
  await expect(inbox.getByPlaceholder('Write a reply')).toHaveValue('Good morning!\nHello there,')
  const priority = async () => (await findConversation(scene, 'would like')).priority
  await expect.poll(priority).toBe('priority')
  await inbox.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(priority).toBe('not_priority')
})

test('members have macros, but neither the settings of rules nor those of shared macros', async () => {
  const invitation = await call(scene.url, 'POST', '/api/user_invitations', {}, scene.token)
  const ben = { email: 'ben@acme.test', password: ADA.password }
  const user = { ...ben, invite_token: invitation.data.id, password_confirmation: ben.password }
  await call(scene.url, 'POST', '/api/registration', { user })
  const { page } = await openSignedIn(scene, '/settings/macros', {}, ben)
  await expect(page.getByRole('heading', { name: 'Macros', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Rules' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Edit Hurry' })).toHaveCount(0)
})
