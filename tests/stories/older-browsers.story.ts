import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { newerScriptFeatures } from '#tests/browser-support/newer-features.ts'
import { removeFeatures } from '#tests/browser-support/remove-features.ts'
import { expect, openPage } from '#tests/support/browser.ts'
import { ADA, call, findConversation, openChat, PICTURE, reply, type Scene, setScene } from './scene.ts'

const { globals, statics, members, apiMembers } = newerScriptFeatures()
const dotted = (names: Set<string>) => [...names].map((name) => `.${name}`)
/** Everything that one of the oldest browsers lacks. */
const ALL = [...globals, ...statics, ...dotted(members), ...dotted(apiMembers)]

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

async function openWithout(features: string[], url: string) {
  const watched = await openPage(scene.browser)
  await watched.page.addInitScript(removeFeatures, features)
  await watched.page.goto(url)
  return watched
}

/** A visitor writes, and sends a file; the team answers with a link. */
async function chat(page: Page, question: string) {
  const { chat, log, sendMessage } = await openChat(page)
  await chat.locator('input[type=file]').setInputFiles({ name: 'lamp.png', mimeType: 'image/png', buffer: PICTURE })
  await expect(chat.getByRole('button', { name: 'Remove lamp.png' })).toBeVisible()
  await sendMessage(question)
  await expect(log).toContainText('Sent')
  const { id: conversation_id } = await findConversation(scene, question)
  const message = { conversation_id, body: 'See https://lamps.example/care' }
  await call(scene.url, 'POST', '/api/messages', { message }, scene.token)
  await expect(log.getByRole('link', { name: 'https://lamps.example/care' })).toBeVisible()
}

async function signIn(page: Page) {
  await page.getByRole('textbox', { name: 'Email' }).fill(ADA.email)
  await page.getByLabel('Password', { exact: true }).fill(ADA.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** The team signs in, reads, answers, and opens the reports. */
async function work(page: Page, question: string) {
  await signIn(page)
  // The newest conversation is the first one.
  await page.locator('a[href^="/conversations/all/"]').first().click()
  await expect(page.getByRole('article').filter({ hasText: question })).toBeVisible()
  await reply(page, `To ${question}`)
  await expect(page.getByRole('article').filter({ hasText: `To ${question}` })).toBeVisible()
  await page.goto(`${scene.url}/reporting`)
  await expect(page.getByRole('region', { name: 'Messages per day' })).toBeVisible()
}

async function walk(features: string[], question: string) {
  const visitor = await openWithout(features, scene.shop)
  await chat(visitor.page, question)
  const ada = await openWithout(features, `${scene.url}/login`)
  await work(ada.page, question)
  expectValue([...visitor.faults, ...ada.faults]).toEqual([])
}

test('chat and dashboard work without anything that one of the oldest browsers lacks', () => walk(ALL, 'All at once?'))

test('an older browser shows one sentence instead of the dashboard, in its language, and no chat', async () => {
  const visitor = await openWithout(['.inert'], scene.shop)
  await visitor.page.waitForLoadState('networkidle')
  await expect(visitor.page.getByRole('button', { name: 'Open chat widget' })).toHaveCount(0)
  for (const [locale, text] of [
    ['en-US', 'Parley needs a newer browser: Safari 16.4, Firefox 115, Chrome or Edge 109, or a later version.'],
    [
      'vi-VN',
      'Parley cần trình duyệt mới hơn: Safari 16.4, Firefox 115, Chrome hoặc Edge 109, hoặc phiên bản mới hơn.',
    ],
  ] as const) {
    const { page, faults } = await openPage(scene.browser, { locale })
    await page.addInitScript(removeFeatures, ['.inert'])
    await page.goto(`${scene.url}/login`)
    await expect(page.locator('body')).toHaveText(text)
    expectValue(faults).toEqual([])
  }
  expectValue(visitor.faults).toEqual([])
})
