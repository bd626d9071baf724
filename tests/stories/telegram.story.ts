import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { BOT_TOKEN, startTelegram, type Telegram } from '#tests/emulators/telegram.ts'
import { expect } from '#tests/support/browser.ts'
import {
  call,
  expectNoFindings,
  findConversation,
  openConversation,
  openSignedIn,
  reply,
  type Scene,
  setScene,
  writeInShop,
} from './scene.ts'

let scene: Scene
let telegram: Telegram
beforeAll(async () => {
  telegram = await startTelegram()
  scene = await setScene({}, telegram.settings)
})
afterAll(async () => {
  await scene.close()
  await telegram.close()
})

const ROOM = { timeout: 40_000 }
const NINA = { id: 5_000_000_001, first_name: 'Nina', last_name: 'Berg' }

test('by following the page a bot is connected, answers its first customer, and invites one of the website', async () => {
  const { page, faults } = await openSignedIn(scene, '/integrations')
  await page.getByRole('link', { name: 'Configure Telegram' }).first().click(ROOM)
  await expect(page.getByText('send /newbot')).toBeVisible(ROOM)
  await expectNoFindings(page)
  telegram.webhook = 'https://old-desk.example/hooks/1'
  await page.getByLabel('Bot token', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText('Copy it from @BotFather').first()).toBeVisible(ROOM)
  await page.getByLabel('Bot token', { exact: true }).fill(BOT_TOKEN)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText('old-desk.example receives the messages of this bot so far.')).toBeVisible(ROOM)
  await page.getByRole('button', { name: 'Connect it here' }).click()
  await expect(page.getByText('Waiting for the first message').first()).toBeVisible(ROOM)
  telegram.say(NINA, 'Do you repair lamps?')
  await expect(page.getByText(/^Connected$/).first()).toBeVisible(ROOM)
  await expect(page.getByRole('link', { name: 'https://t.me/acme_support_bot' })).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText('The connection works.')).toBeVisible(ROOM)

  await page.goto(`${scene.url}/conversations/all`)
  await openConversation(page, 'Do you repair lamps?')
  await reply(page, 'We **do**')
  await expect.poll(() => telegram.sent.map(({ text }) => text), ROOM).toEqual(['We do'])

  await writeInShop(scene, 'And clocks?')
  const { id } = await findConversation(scene, 'clocks')
  await page.goto(`${scene.url}/conversations/all/${id}`)
  await page.getByRole('button', { name: 'Invite to Telegram' }).click(ROOM)
  await expect(page.getByPlaceholder('Write a reply')).toHaveValue(/https:\/\/t\.me\/acme_support_bot\?start=/)
  const draft = await page.getByPlaceholder('Write a reply').inputValue()
  telegram.start({ id: 5_000_000_002, first_name: 'Otto' }, /start=([\w-]+)/.exec(draft)![1]!)
  await expect(page.getByText('The customer continues in Telegram.', { exact: true })).toBeVisible(ROOM)
  const { data } = await call(scene.url, 'GET', '/api/conversations', undefined, scene.token)
  const rows: { id: string; customer_id: string; source: string }[] = data
  const customer_id = rows.find((row) => row.id === id)?.customer_id
  const own = rows.filter((row) => row.customer_id === customer_id).map(({ source }) => source)
  expectValue(own.sort()).toEqual(['chat', 'telegram'])
  // The wrong token.
  expectValue(faults.filter((fault) => !fault.includes('422'))).toEqual([])
})
