import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { expectNoFindings, type Scene, setScene } from './scene.ts'

/** The controls of `dashboard/ui`, on the page that shows each of them in every state. */

let scene: Scene
beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

async function openControls(options: Parameters<typeof openPage>[1] = {}) {
  const watched = await openPage(scene.browser, options)
  await watched.page.goto(`${scene.url}/sandbox`)
  await watched.page.getByText('controls', { exact: true }).click()
  await expect(watched.page.getByRole('heading', { name: 'Fields' })).toBeVisible()
  return watched
}

/** With animations on, as most people have them. */
const MOVING = { reducedMotion: 'no-preference' } as const

/** Dialogs with the buttons that open them. */
const OPENED = [
  ['Menu', 'menu'],
  ['Popover', 'dialog'],
  ['Asks first', 'alertdialog'],
  ['Form', 'dialog'],
  ['Drawer', 'dialog'],
] as const

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true }

test.each([
  ['light and wide', { colorScheme: 'light' }],
  ['dark and narrow', { colorScheme: 'dark', ...NARROW }],
] as const)('neither checker finds anything on the page or in what it opens, %s', async (_, options) => {
  const { page, faults } = await openControls(options)
  await expectNoFindings(page)
  for (const [name, role] of OPENED) {
    await page.getByRole('button', { name, exact: true }).click()
    await expect(page.getByRole(role)).toBeVisible()
    await expectNoFindings(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name, exact: true })).toBeFocused()
  }
  const box = page.getByRole('combobox', { name: 'One of many' })
  await box.scrollIntoViewIfNeeded()
  // Lists close when the page is scrolled, which is reported with the next frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await box.click()
  await expect(page.getByRole('listbox')).toBeVisible()
  // The rest of the page is hidden from screen readers, but can take the focus, which would close the list.
  await expectNoFindings(page, '[role="listbox"]')
  expect(faults).toEqual([])
  await page.context().close()
})

test('a menu is used with arrows and letters, skips disabled entries, and returns the focus', async () => {
  const { page } = await openControls(MOVING)
  const button = page.getByRole('button', { name: 'Menu', exact: true })
  await button.press('Enter')
  await expect(page.getByRole('menuitemradio', { name: 'First' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitemradio', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('s')
  await expect(page.getByRole('menuitemradio', { name: 'Second' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status', { name: 'Done' })).toHaveText('second')
  await expect(button).toBeFocused()
  await button.press('ArrowDown')
  await expect(page.getByRole('menuitemradio', { name: 'First' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.context().close()
})

test('a dialog keeps the focus and hides the page from screen readers; Escape returns to it', async () => {
  const { page } = await openControls(MOVING)
  const button = page.getByRole('button', { name: 'Form', exact: true })
  await button.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create new inbox' })
  await expect(dialog.getByLabel('Inbox name')).toBeFocused()
  const isOutOfReach = () => page.getByRole('main').evaluate((main) => main.closest('[inert]') !== null)
  expectValue(await isOutOfReach()).toBe(true)
  for (let step = 0; step < 7; step++) await page.keyboard.press('Tab')
  expectValue(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  expectValue(await isOutOfReach()).toBe(false)
  await page.context().close()
})

test('irreversible actions ask for confirmation, and Enter alone changes nothing', async () => {
  const { page } = await openControls(MOVING)
  const button = page.getByRole('button', { name: 'Asks first' })
  await button.press('Enter')
  await expect(page.getByRole('alertdialog', { name: 'Delete it?' }).getByRole('button', { name: 'No' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(button).toBeFocused()
  await expect(page.getByRole('status', { name: 'Done' })).toHaveText('nothing')
  await button.click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByRole('status', { name: 'Done' })).toHaveText('confirmed')
  await page.context().close()
})

test('a combo box filters by typing, with or without accents, and can be cleared', async () => {
  const { page } = await openControls(MOVING)
  const box = page.getByRole('combobox', { name: 'One of many' })
  await expect(box).toHaveValue('Carla')
  await box.click()
  await expect(page.getByRole('option')).toHaveCount(5)
  await box.fill('binh')
  await expect(page.getByRole('option')).toHaveText(['Bình'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(box).toHaveValue('Bình')
  await box.fill('nobody')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(box).toHaveValue('Bình')
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(box).toHaveValue('')
  await expect(box).toBeFocused()
  await page.context().close()
})

test('chosen values can be removed, and new ones are added by Enter, by a comma, or by leaving the field', async () => {
  const { page } = await openControls(MOVING)
  const box = page.getByRole('combobox', { name: 'Some, or new ones' })
  const chosen = page.getByRole('button', { name: /^Remove (?!priority)/ })
  const names = () => chosen.evaluateAll((all) => [...new Set(all.map((button) => button.getAttribute('aria-label')))])
  await box.fill('trade')
  await page.keyboard.press('Enter')
  await box.pressSequentially('oak,')
  await box.fill('brass')
  await page.getByRole('combobox', { name: 'One of many' }).focus()
  await expect.poll(names).toEqual(['Remove Ada', 'Remove Tom', 'Remove trade', 'Remove oak', 'Remove brass'])
  await box.press('Backspace')
  await page.getByRole('button', { name: 'Remove Tom' }).last().click()
  await expect(box).toBeFocused()
  await box.fill('carl')
  await page.getByRole('option', { name: 'Carla' }).click()
  // While the list is open, a screen reader sees only the list and its box.
  await page.keyboard.press('Escape')
  await expect.poll(names).toEqual(['Remove Ada', 'Remove trade', 'Remove oak', 'Remove Carla'])
  await page.context().close()
})

test('leaving a field of several values by Tab neither adds nor removes the highlighted one', async () => {
  const { page } = await openControls(MOVING)
  const chosen = page.getByRole('button', { name: /^Remove (?!priority)/ })
  await expect(chosen.first()).toBeVisible()
  const before = await chosen.evaluateAll((all) => all.map((button) => button.getAttribute('aria-label')))
  for (const name of ['Some', 'Some, or new ones']) {
    const box = page.getByRole('combobox', { name, exact: true })
    await box.focus()
    await box.press('ArrowDown')
    await expect(box).toHaveAttribute('aria-activedescendant', /./)
    await box.press('Tab')
    await expect(box).not.toBeFocused()
  }
  expect(await chosen.evaluateAll((all) => all.map((button) => button.getAttribute('aria-label')))).toEqual(before)
  await page.context().close()
})

test('screen readers get a field’s name, hint and error', async () => {
  const { page } = await openControls(MOVING)
  await expect(page.getByRole('textbox', { name: 'Website' })).toHaveAccessibleDescription('Where people find you.')
  const wrong = page.getByRole('textbox', { name: 'Email' })
  await expect(wrong).toHaveAccessibleDescription('Write an address such as ada@example.com.')
  await expect(wrong).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('combobox', { name: 'Wrong' })).toHaveAccessibleDescription('Choose another one.')
  await page.context().close()
})

test('right to left, and on a phone, nothing is outside of the page', async () => {
  const { page } = await openControls(NARROW)
  for (const direction of ['ltr', 'rtl']) {
    await page.evaluate((dir) => {
      document.documentElement.dir = dir
    }, direction)
    const widths = await page.getByRole('main').evaluate((main) => [main.scrollWidth, main.clientWidth])
    expectValue(widths[0]).toBe(widths[1])
    for (const [name, role] of OPENED) {
      await page.getByRole('button', { name, exact: true }).click()
      const shown = page.getByRole(role)
      const { x = -1, width = 0 } = (await shown.boundingBox()) ?? {}
      expectValue(x).toBeGreaterThanOrEqual(0)
      expectValue(x + width).toBeLessThanOrEqual(390)
      await page.keyboard.press('Escape')
      await expect(shown).toHaveCount(0)
    }
  }
  await page.context().close()
})
