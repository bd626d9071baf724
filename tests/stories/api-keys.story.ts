import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

const PATH = '/developers/personal-api-keys'
const COPIED = 'Copied to clipboard! Please be sure to keep your API keys secret.'

let scene: Scene
beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

const openKeys = async (options: Parameters<typeof openSignedIn>[2] = {}) => {
  const watched = await openSignedIn(scene, PATH, { permissions: ['clipboard-read', 'clipboard-write'], ...options })
  await expect(watched.page.getByRole('heading', { name: 'Personal API keys' })).toBeVisible()
  return watched
}

test('a key is generated, copied, hidden, revealed and deleted, and works as long as it is there', async () => {
  const { page, faults } = await openKeys()
  await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Generate new API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText("label can't be blank")
  await dialog.getByLabel('Label').fill('Nightly export')
  await expectNoFindings(page)
  await dialog.getByLabel('Label').press('Enter')
  await expect(page.getByText(COPIED)).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: 'Nightly export' })
  const value = (await row.locator('code').textContent()) ?? ''
  expect(value).toMatch(/^parley_key_[\w-]{43}$/)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value)
  expect((await call(scene.url, 'GET', '/api/v1/me', undefined, `Bearer ${value}`)).data.email).toBe('ada@acme.test')

  await row.getByRole('button', { name: 'Hide Nightly export' }).click()
  await expect(row.locator('code')).toHaveText(`parley_key_…${value.slice(-4)}`)
  await page.evaluate(() => navigator.clipboard.writeText('something else'))
  await row.getByRole('button', { name: 'Reveal Nightly export' }).click()
  await expect(row.locator('code')).toHaveText(value)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value)

  await row.getByRole('button', { name: 'Delete API key Nightly export' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Programs that use it stop working.')
  await question.getByRole('button', { name: 'No' }).click()
  await expect(row).toBeVisible()
  await row.getByRole('button', { name: 'Delete API key Nightly export' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible()
  await expect(call(scene.url, 'GET', '/api/v1/me', undefined, value)).rejects.toThrow('Not authenticated')
  expect(faults.filter((fault) => !/^Not saved|422/.test(fault))).toEqual([])
})

test('a key can be read-only and can expire, as the table shows', async () => {
  const { page } = await openKeys()
  await page.getByRole('button', { name: 'Generate new API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('Dashboard on the wall')
  await dialog.getByText('Read only').click()
  await dialog.getByLabel('Expires').selectOption('In 30 days')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Dashboard on the wall' })
  await expect(row).toContainText('Read only')
  await expect(row).toContainText(/Never used\s*Expires /)
  const { data } = await call(scene.url, 'GET', '/api/personal_api_keys', undefined, scene.token)
  expect(data[0]).toMatchObject({ label: 'Dashboard on the wall', scope: 'read' })
  expect(Math.round((Date.parse(data[0].expires_at) - Date.now()) / 86_400_000)).toBe(30)
})

test('errors of loading and revealing keys are shown; a retry succeeds', async () => {
  const { page } = await openSignedIn(scene, '/tags')
  await page.route('**/api/personal_api_keys?masked=true', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto(scene.url + PATH)
  await expect(page.getByRole('heading', { name: 'The API keys could not be loaded' })).toBeVisible()
  await expectNoFindings(page)
  await page.unroute('**/api/personal_api_keys?masked=true')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Dashboard on the wall' })).toBeVisible()
  await page.route('**/reveal', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.getByRole('button', { name: 'Reveal Dashboard on the wall' }).click()
  await expect(page.getByRole('region', { name: 'Notices' }).getByRole('alert')).toBeVisible()
})

test('placeholders are shown while the keys are loading', async () => {
  const { page } = await openSignedIn(scene, '/tags')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/personal_api_keys?masked=true', (route) => held.promise.then(() => route.continue()))
  await page.goto(scene.url + PATH)
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  await expectNoFindings(page)
  held.resolve()
  await expect(page.getByRole('table', { name: 'Personal API keys' })).toBeVisible()
})

test('members see that this is for admins', async () => {
  const { data } = await call(scene.url, 'POST', '/api/user_invitations', {}, scene.token)
  const user = {
    email: 'ben@acme.test',
    password: 'correct horse battery',
    password_confirmation: 'correct horse battery',
  }
  const ben = await call(scene.url, 'POST', '/api/registration', { user: { ...user, invite_token: data.id } })
  const { page } = await openSignedIn(scene, '/login')
  await page.evaluate(
    (tokens) => localStorage.setItem('parley.session', JSON.stringify({ ...tokens, renewed_at: Date.now() })),
    ben.data,
  )
  await page.goto(scene.url + PATH)
  await expect(page.getByRole('heading', { name: 'This screen is for admins' })).toBeVisible()
})

test.each([
  ['light and wide', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const)('the page of keys is accessible: %s', async (name, options) => {
  const { page, faults } = await openKeys(options)
  await page.getByRole('button', { name: 'Reveal Dashboard on the wall' }).click()
  await expect(page.getByText(COPIED)).toBeVisible()
  await expectNoFindings(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/keys ${name}.png` })
  expect(faults).toEqual([])
})
