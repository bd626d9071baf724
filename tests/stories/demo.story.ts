import { afterAll, beforeAll, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { expectNoFindings, type Scene, setScene } from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

const open = async (path: string) => {
  const watched = await openPage(scene.browser)
  await watched.page.goto(scene.url + path)
  return watched
}

test('a visitor edits title, subtitle and colour and sees the widget, open by default', async () => {
  const { page, faults } = await open('/demo')
  const preview = page.frameLocator('iframe[title="Live preview"]')
  await expect(preview.getByRole('heading', { name: 'Welcome to Parley!' })).toBeVisible()
  await expect(preview.getByText('Ask us anything using the chat window')).toBeVisible()
  await page.getByLabel('Title', { exact: true }).fill('Hello there')
  await page.getByLabel('Subtitle').fill('We are nice')
  await expect(preview.getByRole('heading', { name: 'Hello there' })).toBeVisible()
  await expect(preview.getByText('We are nice')).toBeVisible()
  await expect(page.getByRole('button', { name: /^#[\da-f]{6}$/ })).toHaveCount(10)
  await page.getByRole('button', { name: '#6d3fb0' }).click()
  const brand = () => preview.locator('html').evaluate((root) => root.style.getPropertyValue('--brand'))
  await expect.poll(brand).toBe('#6d3fb0')
  await expectNoFindings(page)
  expect(faults).toEqual([])
  await page.getByRole('link', { name: 'Sign up for free' }).click()
  await expect(page).toHaveURL(/\/register$/)
  await page.context().close()
})

test('the URL can set title, subtitle and color', async () => {
  const { page } = await open('/demo?title=Xin%20ch%C3%A0o&subtitle=Ch%C3%BAng%20t%C3%B4i&color=%23c23b2a')
  const preview = page.frameLocator('iframe[title="Live preview"]')
  await expect(preview.getByRole('heading', { name: 'Xin chào' })).toBeVisible()
  await expect(page.getByLabel('Color as a hex value')).toHaveValue('#c23b2a')
  await page.context().close()
})

test('the bot demo says that the bot is disabled, and answers from its pairs', async () => {
  const { page, faults } = await open('/bot/demo')
  await expect(page.getByText('temporarily disabled')).toBeVisible()
  await expect(page.getByText('answers from a sample help center', { exact: false })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Remove:/ })).toHaveCount(7)
  const log = page.getByRole('log')
  const sendQuestion = async (question: string) => {
    await page.getByLabel('Your question').fill(question)
    await page.keyboard.press('Enter')
  }
  await sendQuestion('What is the price?')
  await expect(log).toContainText('The first 2 users are free')
  await expect(log).toContainText('From the article “How much does it cost?”')
  await page.getByRole('button', { name: 'Add training data' }).click()
  await expect(page.getByText('Error adding training data!')).toBeVisible()
  await expect(page.getByText('Both the question and answer text are required.')).toBeVisible()
  await page.getByLabel('Question', { exact: true }).fill('Do you ship mushrooms?')
  await page.getByLabel('Answer').fill('Only on Tuesdays.')
  await page.getByRole('button', { name: 'Add training data' }).click()
  await sendQuestion('shipping of a mushroom')
  await expect(log).toContainText('Only on Tuesdays.')
  await page.reload()
  await page.getByRole('button', { name: 'Remove: Do you ship mushrooms?' }).click()
  await expect(page.getByRole('button', { name: /^Remove:/ })).toHaveCount(7)
  await page.route('**/api/**/sample_search', (route) => route.abort())
  await sendQuestion('mushrooms?')
  await expect(page.getByRole('alert')).toContainText('cannot be reached')
  await page.unroute('**/api/**/sample_search')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(log).toContainText('I do not know that yet.')
  await expectNoFindings(page)
  expect(faults).toEqual([])
  await page.getByRole('link', { name: 'demo of the chat widget' }).click()
  await expect(page).toHaveURL(/\/demo$/)
  await page.context().close()
})
