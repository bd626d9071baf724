import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

const PATH = '/developers/_templates'

let scene: Scene
beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

const openTemplates = async (options: Parameters<typeof openSignedIn>[2] = {}) => {
  const watched = await openSignedIn(scene, PATH, options)
  const { page } = watched
  const editor = page.getByRole('textbox', { name: 'Template' })
  const preview = page.frameLocator('iframe[title="Preview"]')
  await expect(editor).toContainText('texts.intro')
  await expect(preview.locator('body')).toContainText('Is the <b>oak</b> desk still there?')
  /** Replaces all text in the editor. */
  const write = async (text: string) => {
    await editor.press('Control+a')
    await page.keyboard.insertText(text)
  }
  return { ...watched, editor, preview, write }
}

test('a template is edited, validated, saved, tested, restored and reset', async () => {
  const { page, editor, preview, write, faults } = await openTemplates()
  await expect(page.getByText('Default', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Theme color')).toHaveValue('rgb(155,48,247)')
  await write('<h1>Hello</h1>\n{% fro x %}')
  await page.getByRole('button', { name: 'Validate' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Template, line 2: tag "fro" not found' })).toBeVisible()
  await expect(page.locator('.cm-lint-marker-error')).toBeVisible()
  // The last valid preview stays visible.
  await expect(preview.locator('body')).toContainText('oak')

  await write('<h1>Hello </h1><script>document.title = "ran"</script>')
  await editor.press('Control+End')
  await page.getByRole('button', { name: 'Insert customer.name' }).click()
  await page.getByRole('button', { name: 'Validate' }).click()
  await expect(page.getByText('This template is valid.')).toBeVisible()
  await expect(preview.locator('body')).toContainText('Carla Reyes')
  await expect(preview.locator('script')).toHaveCount(0)
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await page.getByLabel('Subject', { exact: true }).fill('News from {{ company.name }}')
  await editor.press('Control+s')
  await expect(page.getByText('Template successfully saved.')).toBeVisible()
  await expect(page.getByText('News from Acme')).toBeVisible()
  await expect(page.getByText('Your own', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Send me a test' }).click()
  await expect(page.getByText('A test is on its way to ada@acme.test.')).toBeVisible()
  const { data } = await call(scene.url, 'GET', '/api/mails', undefined, scene.token)
  expect(data[0]).toMatchObject({ kind: 'template_test', subject: 'News from Acme' })

  await write('<p>Second</p>')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const rows = page.getByRole('table', { name: 'Versions' }).getByRole('row')
  await expect(rows).toHaveCount(3)
  await rows
    .nth(2)
    .getByRole('button', { name: /^Restore/ })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(rows.nth(2)).toContainText('In use')
  await expect(editor).toContainText('customer.name')
  await page.getByRole('button', { name: 'Reset to default' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(editor).toContainText('texts.intro')
  await expect(page.getByText('Default', { exact: true })).toBeVisible()
  expect(faults).toEqual([])
})

test('each mail to customers has a template of its own, and the subject of a reply stays that of its thread', async () => {
  const { page, preview, editor } = await openTemplates()
  await page.getByLabel('Mail', { exact: true }).selectOption('Answer to an email')
  await expect(editor).toContainText('message.text')
  await expect(preview.locator('body')).toContainText('The <b>oak</b> desk is still there.')
  await expect(page.getByLabel('Subject', { exact: true })).not.toBeEditable()
  await page.getByLabel('Mail', { exact: true }).selectOption('Forwarded conversation')
  await expect(editor).toContainText('message.sent_at')
  await expect(preview.locator('body')).toContainText('Can your workshop make one like it by Friday?')
  await expect(page.getByLabel('Subject', { exact: true })).toBeEditable()
})

test('an error of loading templates is shown', async () => {
  const { page } = await openSignedIn(scene, '/tags')
  await page.route('**/api/email_templates', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto(scene.url + PATH)
  await expect(page.getByRole('heading', { name: 'The templates could not be loaded' })).toBeVisible()
  await page.unroute('**/api/email_templates')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('textbox', { name: 'Template' })).toBeVisible()
})

test.each([
  ['light and wide', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }, [320, 635]],
  ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }, [320, 390]],
] as const)('the page of templates is accessible: %s', async (name, options, [least, most]) => {
  const { page, faults } = await openTemplates(options)
  const { width } = (await page.locator('iframe[title="Preview"]').boundingBox())!
  expect(width).toBeGreaterThanOrEqual(least)
  expect(width).toBeLessThanOrEqual(most)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/templates ${name}.png` })
  expect(faults).toEqual([])
  // axe waits for ever for a frame in which no script may run.
  await page.evaluate(() => document.querySelector('iframe[title="Preview"]')?.remove())
  await expectNoFindings(page)
})
