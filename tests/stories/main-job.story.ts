import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import {
  findConversation,
  openChat,
  openConversation,
  openDashboard,
  reply,
  type Scene,
  setScene,
  visitShop,
} from './scene.ts'

let scene: Scene

/** With animations on, as most people have them. */
const MOVING = { reducedMotion: 'no-preference' } as const

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

test('a visitor on another origin writes, an agent replies, both see it at once, a note stays private, and a deleted message disappears for both', async () => {
  const ada = await openDashboard(scene, MOVING)
  const visitor = await visitShop(scene, MOVING)
  const { log, sendMessage } = await openChat(visitor.page)

  await sendMessage('Do you ship to Portugal?')
  await expect(log).toContainText('Do you ship to Portugal?')
  await expect(ada.page.getByRole('link').filter({ hasText: 'Do you ship to Portugal?' })).toBeVisible()

  await openConversation(ada.page, 'Do you ship to Portugal?')
  await reply(ada.page, 'We do, in three to five days.')
  await expect(log).toContainText('We do, in three to five days.')
  await expect(log).toContainText('ada')

  await ada.page.getByText('Note', { exact: true }).click()
  const note = ada.page.getByPlaceholder('Write a private note for your team')
  await note.fill('Zanzibar: ask the warehouse first')
  await note.press('Control+Enter')
  await expect(ada.page.getByText('Zanzibar: ask the warehouse first').first()).toBeVisible()

  await sendMessage('Wonderful, thank you!')
  await expect(ada.page.getByText('Wonderful, thank you!').first()).toBeVisible()
  const answer = ada.page.getByRole('article').filter({ hasText: 'in three to five days' })
  await answer.getByRole('button', { name: 'Delete message' }).press('Enter')
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(answer).toHaveCount(0)
  await expect(log).not.toContainText('in three to five days')
  await visitor.page.reload()
  const again = await openChat(visitor.page)
  await expect(again.log).toContainText('Wonderful, thank you!')
  await expect(again.log).not.toContainText('in three to five days')

  expect(visitor.frames.length).toBeGreaterThan(3)
  expect(visitor.frames.join('\n')).not.toContain('Zanzibar')
  expect(await again.log.textContent()).not.toContain('Zanzibar')
  expect([...ada.faults, ...visitor.faults]).toEqual([])
})

test('three messages written offline arrive once and in order, after a reload', async () => {
  const visitor = await visitShop(scene, MOVING)
  const { log, sendMessage } = await openChat(visitor.page)
  await sendMessage('before the tunnel')
  await expect(log).toContainText('Sent')

  await visitor.page.context().setOffline(true)
  for (const text of ['tunnel one', 'tunnel two', 'tunnel three']) await sendMessage(text)
  await expect(log).toContainText('tunnel three')
  await visitor.page.reload().catch(() => undefined)
  await visitor.page.context().setOffline(false)
  await visitor.page.goto(scene.shop)

  await expect
    .poll(() => bodiesOf('tunnel'), { timeout: 20_000 })
    .toEqual(['before the tunnel', 'tunnel one', 'tunnel two', 'tunnel three'])
  const again = await openChat(visitor.page)
  for (const text of ['tunnel one', 'tunnel two', 'tunnel three'])
    await expect(again.log.getByText(text)).toHaveCount(1)
})

/** A busy machine starts a server slowly, and reconnecting clients try less and less often. */
const LONG_MS = 45_000

test('after the server was killed and restarted, both sides catch up by themselves', async () => {
  const ada = await openDashboard(scene, MOVING)
  const visitor = await visitShop(scene, MOVING)
  const { log, sendMessage } = await openChat(visitor.page)
  await sendMessage('is anybody there, storm is coming')
  await openConversation(ada.page, 'storm is coming')
  await reply(ada.page, 'I am here.')
  await expect(log).toContainText('I am here.')

  const first = scene.server.killAndRestart()
  await sendMessage('written while the server was gone')
  await first
  await expect(ada.page.getByText('written while the server was gone').first()).toBeVisible({ timeout: LONG_MS })

  const second = scene.server.killAndRestart()
  await reply(ada.page, 'and answered while it was gone again')
  await second
  await expect(log).toContainText('and answered while it was gone again', { timeout: LONG_MS })
  const bodies = await bodiesOf('storm')
  expect(bodies.slice(-2)).toEqual(['written while the server was gone', 'and answered while it was gone again'])
}, 120_000)

test('a tab that was offline shows what happened meanwhile', async () => {
  const ada = await openDashboard(scene, MOVING)
  const visitor = await visitShop(scene, MOVING)
  const { log, sendMessage } = await openChat(visitor.page)
  await sendMessage('question about the kettle')
  await openConversation(ada.page, 'question about the kettle')
  await expect(ada.page.getByPlaceholder('Write a reply')).toBeVisible()

  await ada.page.context().setOffline(true)
  await sendMessage('it whistles')
  await expect(log).toContainText('it whistles')
  await ada.page.context().setOffline(false)
  await expect(ada.page.getByText('it whistles').first()).toBeVisible({ timeout: 20_000 })
})

test('visitors who write too fast are told how long to wait, and nothing is lost', async () => {
  const { page } = await visitShop(scene, MOVING)
  const { chat, log, sendMessage } = await openChat(page)
  await sendMessage('A flood of velvet')
  await expect(log).toContainText('Sent')
  await page.route('**/api/messages', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 429, headers: { 'retry-after': '3' }, json: { error: { status: 429 } } })
      : route.continue(),
  )
  await sendMessage('One more')
  await expect(chat.getByText(/^That was quick\. Sending goes on in \d s\.$/)).toBeVisible()
  await page.unroute('**/api/messages')
  await expect(log).toContainText('Sent')
  await expect.poll(() => bodiesOf('flood')).toEqual(['A flood of velvet', 'One more'])
})

test('a draft survives a reload, and Enter that ends a composition sends nothing', async () => {
  const { page } = await visitShop(scene, MOVING)
  const { chat, log } = await openChat(page)
  const write = chat.getByPlaceholder('Start typing...')
  await write.fill('Xin chào')
  await write.evaluate((area) => {
    area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }))
    area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true }))
  })
  await page.reload()
  const again = await openChat(page)
  await expect(again.chat.getByPlaceholder('Start typing...')).toHaveValue('Xin chào')
  await expect(log).not.toContainText('Xin chào')
})

test('each side sees the other one typing', async () => {
  const ada = await openDashboard(scene, MOVING)
  const { chat, sendMessage } = await openChat((await visitShop(scene, MOVING)).page)
  await sendMessage('Typing about marble')
  await openConversation(ada.page, 'about marble')
  await ada.page.getByPlaceholder('Write a reply').pressSequentially('Let me')
  await expect(chat.getByText('Agent is typing')).toBeVisible()
  await chat.getByPlaceholder('Start typing...').pressSequentially('And')
  await expect(ada.page.getByText(/is typing/)).toBeVisible()
})

/** The messages of the conversation that mentions a text, in order. */
async function bodiesOf(text: string): Promise<string[]> {
  const conversation = await findConversation(scene, text)
  return (conversation?.messages ?? []).map(({ body }: { body: string }) => body)
}
