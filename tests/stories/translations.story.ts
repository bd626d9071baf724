import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { breaksOff, type ChatModel, says, startChatModel, translates } from '#tests/emulators/chat-model.ts'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, findConversation, openSignedIn, type Scene, setScene, writeInShop } from './scene.ts'

let scene: Scene
let model: ChatModel
beforeAll(async () => {
  scene = await setScene({}, { REACHABLE_HOSTS: '127.0.0.1' })
  model = await startChatModel()
  const body = { base_url: model.url, model: 'small', is_enabled: true, requests_per_hour: 1000 }
  await call(scene.url, 'PUT', '/api/language_model_settings', body, scene.token)
})
beforeEach(() => {
  model.usual = translates((text) => ENGLISH[text] ?? `In English: ${text}`)
})
afterAll(async () => {
  await model.close()
  await scene.close()
})

const ENGLISH: Record<string, string> = {
  'Wo ist meine Bestellung [[1]]?': 'Where is my order [[1]]?',
  'Danke!': 'Thank you!',
}

const LOOKS = [
  ['light and wide', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const

test.each(LOOKS)('an agent reads and answers in their own language, %s', async (_name, look) => {
  const shop = await writeInShop(scene, `Wo ist meine Bestellung ${look.colorScheme === 'dark' ? 'DA' : 'LI'}-1234?`)
  const code = look.colorScheme === 'dark' ? 'DA-1234' : 'LI-1234'
  const { id } = await findConversation(scene, code)
  const { page, faults } = await openSignedIn(scene, `/conversations/all/${id}`, look)
  const { page: colleague } = await openSignedIn(scene, `/conversations/all/${id}`)
  const log = page.getByRole('log')
  await expect(page.getByText('Messages in other languages: German')).toBeVisible()
  await expect(log.getByText('German', { exact: true })).toBeVisible()
  await expectNoFindings(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/foreign-${look.colorScheme}.png` })

  await page.getByRole('button', { name: 'Translate conversation' }).click()
  await expect(log.getByText(`Where is my order ${code}?`)).toBeVisible()
  await expect(log.getByText('Translated from German')).toBeVisible()
  await expect(colleague.getByRole('log').getByText(`Where is my order ${code}?`)).toBeVisible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/translated-${look.colorScheme}.png` })
  await log.getByRole('button', { name: 'Show original' }).click()
  await expect(log.getByText(`Wo ist meine Bestellung ${code}?`)).toBeVisible()
  await log.getByRole('button', { name: 'Show translation' }).click()
  await expect(log.getByText(`Where is my order ${code}?`)).toBeVisible()

  const box = page.getByPlaceholder('Write a reply')
  await box.fill(`Your order ${code} is on its way.`)
  await expect(page.getByText('The customer writes in German.')).toBeVisible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/offer-${look.colorScheme}.png` })
  model.next(says('Ihre Bestellung [[1]] ist unterwegs.'))
  await page.getByRole('button', { name: 'Translate into German' }).click()
  await expect(box).toHaveValue(`Ihre Bestellung ${code} ist unterwegs.`)
  const own = page.getByRole('region', { name: 'Your text.' })
  await expect(own.getByText(`Your order ${code} is on its way.`)).toBeVisible()
  await expectNoFindings(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/reply-${look.colorScheme}.png` })
  await page.reload()
  await expect(own.getByText(`Your order ${code} is on its way.`), 'it survives a reload').toBeVisible()
  await box.press('Control+Enter')
  await expect(log.getByText(`Ihre Bestellung ${code} ist unterwegs.`)).toBeVisible()
  await expect(log.getByText('Written in English, and translated before it was sent:')).toBeVisible()
  await expect(log.getByText(`Your order ${code} is on its way.`)).toBeVisible()
  await expect(colleague.getByRole('log').getByText(`Your order ${code} is on its way.`)).toBeVisible()
  await expect(own).toHaveCount(0)
  await expectNoFindings(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sent-${look.colorScheme}.png` })
  const chat = shop.frameLocator('iframe').first()
  await expect(chat.getByText(`Ihre Bestellung ${code} ist unterwegs.`)).toBeVisible()
  await expect(chat.getByText('is on its way')).toHaveCount(0)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(look.viewport.width)
  expect(faults).toEqual([])
  await colleague.context().close()
  await page.context().close()
})

test('own words come back by one press, and a model that fails leaves the original and a sentence', async () => {
  await writeInShop(scene, 'Wo bleibt meine Lampe aus Messing?')
  const { id } = await findConversation(scene, 'Messing')
  const { page } = await openSignedIn(scene, `/conversations/all/${id}`)
  const log = page.getByRole('log')
  model.next(breaksOff('<message'))
  await log.getByRole('button', { name: 'Translate', exact: true }).click()
  await expect(page.getByRole('alert').getByText('broke off before the answer was complete')).toBeVisible()
  await expect(log.getByText('Wo bleibt meine Lampe aus Messing?')).toBeVisible()
  model.next(translates((text) => `${text} https://evil.test`))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(log.getByRole('alert')).toContainText('The model has changed a link or code')
  await log.getByRole('button', { name: 'Try again' }).click()
  await expect(log.getByText('In English: Wo bleibt meine Lampe aus Messing?')).toBeVisible()

  const box = page.getByPlaceholder('Write a reply')
  await box.fill('It is coming tomorrow.')
  model.next(says('Sie kommt morgen.'))
  await page.getByRole('button', { name: 'Translate into German' }).click()
  await expect(box).toHaveValue('Sie kommt morgen.')
  await page.getByRole('button', { name: 'Put my text back' }).click()
  await expect(box).toHaveValue('It is coming tomorrow.')
  await page.context().close()
})

test('who reads a language is not offered its translation', async () => {
  await writeInShop(scene, 'Wo steht die Lampe aus Kupfer?')
  const { id } = await findConversation(scene, 'Kupfer')
  const { page } = await openSignedIn(scene, '/settings/profile')
  const languages = page.getByRole('combobox', { name: 'Other languages that I read' })
  await languages.click()
  await languages.fill('Germ')
  await page.getByRole('option', { name: 'German' }).click()
  await expect(page.getByRole('option', { name: 'German' })).toHaveAttribute('aria-selected', 'true')
  await page.goto(`${scene.url}/conversations/all/${id}`)
  await expect(page.getByRole('log').getByText('Wo steht die Lampe aus Kupfer?')).toBeVisible()
  await page.getByPlaceholder('Write a reply').fill('Hallo')
  await expect(page.getByRole('button', { name: 'Translate conversation' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Translate into German' })).toHaveCount(0)
  await page.context().close()
})
