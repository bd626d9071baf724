import { afterAll, beforeAll, test } from 'vitest'
import { type ChatModel, hangs, refuses, says, startChatModel } from '#tests/emulators/chat-model.ts'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, findConversation, openSignedIn, type Scene, setScene, writeInShop } from './scene.ts'

let scene: Scene
let model: ChatModel
beforeAll(async () => {
  scene = await setScene({}, { REACHABLE_HOSTS: '127.0.0.1' })
  model = await startChatModel()
  const canned_response = { name: 'Return policy', content: 'You can send unused lamps back within thirty days.' }
  await call(scene.url, 'POST', '/api/canned_responses', { canned_response }, scene.token)
})
afterAll(async () => {
  await model.close()
  await scene.close()
})

const LOOKS = [
  ['light and wide', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const

async function connect() {
  const body = { base_url: model.url, model: 'small', is_enabled: true, requests_per_hour: 1000 }
  await call(scene.url, 'PUT', '/api/language_model_settings', body, scene.token)
}

test('an admin connects a model, has a draft written, reads its sources, edits it and sends it', async () => {
  await writeInShop(scene, 'Can I return a lamp that I have not used?')
  const { id } = await findConversation(scene, 'return')
  const { page, faults } = await openSignedIn(scene, `/conversations/all/${id}`)
  const box = page.getByPlaceholder('Write a reply')
  await expect(box).toBeVisible()
  await expect(page.getByRole('button', { name: 'Write with the model' })).toHaveCount(0)

  await page.goto(`${scene.url}/settings/language-model`)
  await page.getByLabel('Address', { exact: true }).fill(model.url)
  await page.getByRole('button', { name: 'List models' }).click()
  await page.getByRole('combobox', { name: 'Name of the model' }).selectOption('small')
  await page.getByRole('switch', { name: 'Let the team write with it' }).check()
  model.next(refuses(404, 'no such model'))
  await page.getByRole('button', { name: 'Try and save' }).click()
  await expect(page.getByRole('alert')).toContainText('knows no model named “small”')
  await page.getByRole('button', { name: 'Try and save' }).click()
  await expect(page.getByRole('heading', { name: 'Usage in this month' })).toBeVisible()
  await expectNoFindings(page)

  model.next(says('You can send it back within thirty days [1]. Only $5 for the parcel!'))
  await page.goto(`${scene.url}/conversations/all/${id}`)
  await page.getByRole('button', { name: 'Write with the model' }).click()
  await page.getByRole('menuitem', { name: 'Draft a reply' }).click()
  await expect(box).toHaveValue('You can send it back within thirty days. Only […] for the parcel!')
  const panel = page.getByRole('region', { name: 'What the model writes' })
  await expect(panel.getByText('Written by a model. Read it before you send.')).toBeVisible()
  await expect(panel.getByText('Removed, because no source says it: $5')).toBeVisible()
  await panel.getByText('One source').click()
  await expect(panel.getByText('Return policy')).toBeVisible()
  await expect(panel.getByText('no source', { exact: true })).toBeVisible()
  await expectNoFindings(page)
  await box.fill('You can send it back within thirty days. We pay for the parcel.')
  await expect(panel.getByText('Written by a model.')).toHaveCount(0)
  await box.press('Control+Enter')
  await expect(page.getByRole('log').getByText('We pay for the parcel.')).toBeVisible()
  await expect(panel).toHaveCount(0)
  // The refused attempt to save.
  expect(faults).toEqual([expect.stringContaining('422')])
  await page.context().close()
})

test('own words are changed on request, and come back by one press', async () => {
  await connect()
  await writeInShop(scene, 'Do you have brass lamps?')
  const { id } = await findConversation(scene, 'brass')
  const { page } = await openSignedIn(scene, `/conversations/all/${id}`)
  const box = page.getByPlaceholder('Write a reply')
  await box.fill('We do have brass lamps.')
  model.next(says('Yes!'))
  await page.getByRole('button', { name: 'Write with the model' }).click()
  await page.getByRole('menuitem', { name: 'Shorten my text' }).click()
  await expect(box).toHaveValue('Yes!')
  await page.getByRole('button', { name: 'Put my text back' }).click()
  await expect(box).toHaveValue('We do have brass lamps.')
  await page.context().close()
})

test('writing is stopped by a press, and a model that is gone leaves a sentence', async () => {
  await connect()
  await writeInShop(scene, 'Is the oak lamp in stock?')
  const { id } = await findConversation(scene, 'oak')
  const { page } = await openSignedIn(scene, `/conversations/all/${id}`)
  const panel = page.getByRole('region', { name: 'What the model writes' })
  await expect(page.getByRole('button', { name: 'Write with the model' })).toBeVisible()
  model.next(hangs('Dear Carla'))
  const abandoned = model.abandoned
  await page.getByPlaceholder('Write a reply').press('Control+e')
  await expect(panel.getByText('Dear Carla')).toBeVisible()
  await panel.getByRole('button', { name: 'Stop' }).click()
  await expect(panel).toHaveCount(0)
  await expect(page.getByPlaceholder('Write a reply')).toHaveValue('')
  await expect.poll(() => model.abandoned).toBe(abandoned + 1)

  model.next(refuses(401, 'no'))
  await page.getByRole('button', { name: 'Write with the model' }).click()
  await page.getByRole('menuitem', { name: 'Draft a reply' }).click()
  await expect(panel.getByText('asks for a key')).toBeVisible()
  model.next(says('Six of them.'))
  await panel.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByPlaceholder('Write a reply')).toHaveValue('Six of them.')
  await page.context().close()
})

test('a summary is kept as a private note, or dropped', async () => {
  await connect()
  await writeInShop(scene, 'My pendant lamp flickers')
  const { id } = await findConversation(scene, 'pendant')
  const { page } = await openSignedIn(scene, `/conversations/all/${id}`)
  model.next(says('The pendant lamp flickers; nothing promised.'))
  await page.getByRole('button', { name: 'Write with the model' }).click()
  await page.getByRole('menuitem', { name: 'Summarize for a colleague' }).click()
  await page.getByRole('button', { name: 'Keep as a private note' }).click()
  await expect(page.getByRole('log').getByText('nothing promised')).toBeVisible()
  await page.context().close()
})

test.each(LOOKS)('the page and the panel keep their layout, %s', async (_name, look) => {
  await connect()
  await writeInShop(scene, `Can I return unused lamps within thirty days? ${look.colorScheme}`)
  const { id } = await findConversation(scene, look.colorScheme)
  const { page } = await openSignedIn(scene, '/settings/language-model', look)
  await expect(page.getByRole('heading', { name: 'Usage in this month' })).toBeVisible()
  await expectNoFindings(page)
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/settings-${look.colorScheme}.png`, fullPage: true })
  await page.goto(`${scene.url}/conversations/all/${id}`)
  model.next(says('You can send it back within thirty days [1]. Write to me@evil.test. Have a nice day!'))
  await page.getByRole('button', { name: 'Write with the model' }).click()
  await page.getByRole('menuitem', { name: 'Draft a reply' }).click()
  await page.getByText('One source').click()
  await expectNoFindings(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/panel-${look.colorScheme}.png` })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(look.viewport.width)
  await page.context().close()
})
