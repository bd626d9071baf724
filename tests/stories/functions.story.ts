import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

const PATH = '/functions'
const TIMEOUT = { timeout: 30_000 }

let scene: Scene
let id: string
beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

test('a function starts with an example, is tested and deployed; without an API key the page links to it', async () => {
  const { page, faults } = await openSignedIn(scene, PATH)
  await expect(page.getByRole('heading', { name: 'No functions yet' })).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'New function' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Description').fill('Repeats')
  await expectNoFindings(page)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'An API key is required' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Generate API key' })).toHaveAttribute(
    'href',
    '/developers/personal-api-keys',
  )
  await expectNoFindings(page)
  id = new URL(page.url()).pathname.split('/').at(-1)!
  await call(scene.url, 'POST', '/api/personal_api_keys', { label: 'Needed' }, scene.token)
  await page.reload()

  const code = page.getByRole('textbox', { name: 'Code' })
  await expect(code).toContainText("require('parley')")
  await expect(page.getByText('This function cannot be activated until it is deployed.')).toBeVisible()
  const chat = page.frameLocator('iframe[title="Test chat widget"]')
  const frame = page.locator('iframe[title="Test chat widget"]')
  expect(await frame.boundingBox()).toMatchObject({ width: 376, height: 560 })
  const write = chat.getByPlaceholder('Start typing...')
  await write.fill('Anybody there?')
  await write.press('Enter')
  await expect(chat.getByRole('log')).toContainText('You said: Anybody there?', TIMEOUT)
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('"body": "You said: Anybody there?"')

  await page.getByRole('button', { name: 'Deploy your code' }).click()
  await expect(page.getByText('Function successfully deployed.')).toBeVisible()
  await expect(page.getByText('This function will not receive events.')).toBeVisible()
  await page.getByRole('switch', { name: 'Active' }).click()
  await expect(page.getByText('This function is actively receiving webhook events.')).toBeVisible()
  await write.fill('And now?')
  await write.press('Enter')
  await expect(chat.getByRole('log')).toContainText('You said: And now?', TIMEOUT)
  const row = page.getByRole('row').filter({ hasText: 'A customer wrote: And now?' })
  await expect(row).toContainText('Succeeded', TIMEOUT)
  await row.getByRole('button', { name: /^Details/ }).click()
  await expect(page.getByRole('dialog').getByRole('region', { name: 'Logs' })).toContainText('And now?')
  expect(faults).toEqual([])
})

test('what is written in the test chat is listed under test conversations, and answered there', async () => {
  const { page, faults } = await openSignedIn(scene, `${PATH}/${id}`)
  await page.getByRole('link', { name: 'test conversations' }).click()
  await expect(page.getByRole('heading', { name: 'Test conversations' })).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('list', { name: 'Conversations' }).getByRole('button').first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Anybody there?')
  await dialog.getByRole('textbox', { name: 'Reply' }).fill('A person, too')
  await dialog.getByRole('textbox', { name: 'Reply' }).press('Control+Enter')
  await expect(dialog).toContainText('A person, too')
  const { data } = await call(scene.url, 'GET', '/api/conversations', undefined, scene.token)
  expect(data).toEqual([])
  expect(faults).toEqual([])
})

test('code is saved automatically and completed, and a failed run is shown until it is dismissed', async () => {
  const { page } = await openSignedIn(scene, `${PATH}/${id}`)
  const code = page.getByRole('textbox', { name: 'Code' })
  await expect(code).toContainText('handler')
  await page.getByRole('switch', { name: 'Active' }).click()
  await expect(page.getByText('This function will not receive events.')).toBeVisible()
  await code.press('Control+a')
  await page.keyboard.type('parley.mess')
  await expect(page.getByRole('option', { name: 'messages' })).toBeVisible()
  await page.keyboard.press('Escape')
  await code.press('Control+a')
  await page.keyboard.insertText("const handler = () => { throw new Error('Not today') }")
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(page.getByText('The code has changed since.')).toBeVisible()
  const { data } = await call(scene.url, 'GET', `/api/lambdas/${id}`, undefined, scene.token)
  expect(data.code).toContain('Not today')
  const chat = page.frameLocator('iframe[title="Test chat widget"]')
  const write = chat.getByPlaceholder('Start typing...')
  await write.fill('Fail, please')
  await write.press('Enter')
  const notice = page.getByRole('region', { name: 'Notices' })
  await expect(notice).toContainText('Error running function.', TIMEOUT)
  await expect(notice).toContainText('Not today')
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('"errorMessage": "Not today"')
})

test.each([
  ['light and wide', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const)('the pages of functions are accessible: %s', async (name, options) => {
  const { page, faults } = await openSignedIn(scene, PATH, options)
  const row = page.getByRole('row').filter({ hasText: 'Untitled function' })
  await expect(row).toContainText('Repeats')
  await expect(row).toContainText('Inactive')
  await expectNoFindings(page)
  await row.getByRole('link', { name: /^Configure/ }).click()
  await expect(page.getByRole('textbox', { name: 'Code' })).toContainText('Not today')
  await expect(page.getByRole('row').filter({ hasText: 'message:created' }).first()).toBeVisible()
  await expect(page.frameLocator('iframe[title="Test chat widget"]').getByPlaceholder('Start typing...')).toBeVisible()
  await expectNoFindings(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await page
    .getByRole('button', { name: /^Details message:created/ })
    .first()
    .click()
  await expect(page.getByRole('dialog').getByRole('region', { name: 'Error' })).toContainText('Not today')
  await expectNoFindings(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/function ${name}.png` })
  expect(faults).toEqual([])
})

test('errors of loading are shown, and a function is deleted after confirmation', async () => {
  const { page } = await openSignedIn(scene, '/tags')
  await page.route('**/api/lambdas', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto(scene.url + PATH)
  await expect(page.getByRole('heading', { name: 'The functions could not be loaded' })).toBeVisible()
  await page.unroute('**/api/lambdas')
  await page.goto(`${scene.url}${PATH}/00000000-0000-4000-8000-000000000000`)
  await expect(page.getByRole('heading', { name: 'Error retrieving function' })).toBeVisible()
  await page.goto(`${scene.url}${PATH}/${id}`)
  await page.getByRole('button', { name: 'Delete function' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Untitled function successfully deleted.')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`${PATH}$`))
  await expect(page.getByRole('heading', { name: 'No functions yet' })).toBeVisible()
})
