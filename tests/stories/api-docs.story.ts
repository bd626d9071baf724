import type { Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { call, type Scene, setScene } from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

async function search(page: Page, text: string) {
  await page.keyboard.press('Control+k')
  await page
    .getByRole('dialog')
    .getByRole('combobox')
    .or(page.getByRole('dialog').getByRole('textbox'))
    .first()
    .fill(text)
}

test.each([
  ['light and wide', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const)('the reference can be read and searched, and requests only its own server: %s', async (name, options) => {
  const { page, faults } = await openPage(scene.browser, options)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(`${scene.url}/api/docs`)
  await expect(page.getByRole('heading', { name: 'Parley', level: 1 })).toBeVisible()
  if (name === 'light and wide') {
    await search(page, 'canned_responses')
    await expect(page.getByRole('option').first()).toContainText('canned_responses')
    await page.keyboard.press('Escape')
  }
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/docs ${name}.png` })
  const elsewhere = requests.filter((url) => /^https?:/.test(url) && new URL(url).origin !== new URL(scene.url).origin)
  expect(elsewhere).toEqual([])
  expect(faults).toEqual([])
})

test('a call is tried from the page with a key', async () => {
  const { data: key } = await call(scene.url, 'POST', '/api/personal_api_keys', { label: 'Console' }, scene.token)
  const { page } = await openPage(scene.browser)
  await page.goto(`${scene.url}/api/docs`)
  await search(page, '/api/v1/me')
  await page.getByRole('option').filter({ hasText: '/api/v1/me' }).first().click()
  await page
    .getByRole('button', { name: /Test Request.*\/api\/v1\/me\)/i })
    .first()
    .click()
  const console = page.getByRole('dialog')
  await console.getByLabel(/token/i).first().fill(key.value)
  await console.getByRole('button', { name: /^Send/ }).first().click()
  await expect(console).toContainText('ada@acme.test')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/docs console.png` })
})
