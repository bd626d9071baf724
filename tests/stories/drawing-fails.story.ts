import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, openChat, openSignedIn, type Scene, setScene, visitShop } from './scene.ts'

/** In these pages no expression reads a text with this sign, so that what draws it throws. */
const SIGN = '🧨'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

function failOnSign(symbol: string) {
  const { test, exec } = RegExp.prototype
  const assertDrawable = (text: unknown) => {
    if (typeof text === 'string' && text.includes(symbol)) throw new TypeError('Not drawn')
  }
  RegExp.prototype.test = function (text) {
    assertDrawable(text)
    return test.call(this, text)
  }
  RegExp.prototype.exec = function (text) {
    assertDrawable(text)
    return exec.call(this, text)
  }
}

test('a message that cannot be drawn is shown as its plain text to both sides, the others as they are, and after a reload, too', async () => {
  const visitor = await visitShop(scene)
  await visitor.page.addInitScript(failOnSign, SIGN)
  await visitor.page.reload()
  const { sendMessage, log } = await openChat(visitor.page)
  await sendMessage('Before it')
  await expect(log).toContainText('Sent')
  const { data } = await call(scene.url, 'GET', '/api/conversations', undefined, scene.token)
  const say = (body: string) =>
    call(scene.url, 'POST', '/api/messages', { message: { conversation_id: data[0].id, body } }, scene.token)
  await say(`**Cannot** be drawn ${SIGN}`)
  await say('*After* it')
  const expectAll = async (thread: typeof log) => {
    await expect(thread.getByText('Before it')).toBeVisible()
    await expect(thread.getByText(`**Cannot** be drawn ${SIGN}`)).toBeVisible()
    await expect(thread.locator('em', { hasText: 'After' })).toBeVisible()
  }
  await expectAll(log)
  await visitor.page.reload()
  await expectAll((await openChat(visitor.page)).log)

  const ada = await openSignedIn(scene, '/login')
  await ada.page.addInitScript(failOnSign, SIGN)
  for (const _ of ['at first', 'after a reload']) {
    await ada.page.goto(`${scene.url}/conversations/all/${data[0].id}`)
    await expectAll(ada.page.getByRole('log'))
  }
  // Each failure is in the console, and nothing else.
  for (const { faults } of [visitor, ada]) {
    expectValue(faults.length).toBeGreaterThan(0)
    for (const fault of faults) expectValue(fault).toContain('Not drawn')
  }
})

test('a note that cannot be drawn leaves the others, of the customer and of all customers', async () => {
  const { url, account_id, token } = scene
  const { data } = await call(url, 'POST', '/api/customers', { customer: { account_id, name: 'Noa Reyes' } })
  for (const body of ['Likes blue', `Collects ${SIGN}`, 'Lives in Oslo']) {
    await call(url, 'POST', '/api/notes', { note: { customer_id: data.id, body } }, token)
  }
  const { page, faults } = await openSignedIn(scene, '/login')
  await page.addInitScript(failOnSign, SIGN)
  for (const path of [`/customers/${data.id}?tab=notes`, '/notes']) {
    await page.goto(url + path)
    await expect(page.getByText('Likes blue')).toBeVisible()
    await expect(page.getByText('Lives in Oslo')).toBeVisible()
    await expect(page.getByText('This part could not be shown')).toHaveCount(1)
    await expect(page.getByText(SIGN)).toHaveCount(0)
  }
  for (const fault of faults) expectValue(fault).toContain('Not drawn')
})

test('texts that do not arrive leave no empty page: the frame is in English, and a screen offers to load it again', async () => {
  const { page } = await openSignedIn(scene, '/login', { locale: 'de-DE' })
  await page.route(/\/assets\/(common|working-hours)-[^/]*\.js$/, (route) => route.abort())
  await page.goto(`${scene.url}/settings/account`)
  await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Reporting' })).toBeVisible()

  await page.unroute(/\/assets\/(common|working-hours)-[^/]*\.js$/)
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Kontoübersicht' })).toBeVisible()
})
