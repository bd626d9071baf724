import { afterAll, beforeAll, test } from 'vitest'
import { BOT_TOKEN, MattermostEmulator } from '#tests/emulators/mattermost.ts'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openChat, openSignedIn, type Scene, setScene, visitShop } from './scene.ts'

let scene: Scene
let mattermost: MattermostEmulator
let inbox_id: string
beforeAll(async () => {
  mattermost = await MattermostEmulator.start([{ username: 'ada', email: 'ada@acme.test' }])
  scene = await setScene({}, { REACHABLE_HOSTS: '127.0.0.1' })
  inbox_id = (await call(scene.url, 'GET', '/api/inboxes/primary', undefined, scene.token)).data.id
})
afterAll(async () => {
  await scene.close()
  await mattermost.close()
})

const ROOM = { timeout: 40_000 }

test('an admin connects a Mattermost channel, and a visitor is answered from there', async () => {
  const { page, faults } = await openSignedIn(scene, `/inboxes/${inbox_id}/integrations/mattermost`)
  await expect(page.getByRole('heading', { name: 'Connect Mattermost' })).toBeVisible()
  const channel = page.getByLabel('Channel', { exact: true })
  await expect(channel).toBeDisabled()
  await expectNoFindings(page)
  await page.getByLabel('Mattermost URL').fill(mattermost.url)
  await page.getByLabel('Bot token').fill('wrong')
  await page.getByLabel('Bot token').blur()
  await expect(page.getByText('Mattermost error: ')).toBeVisible(ROOM)
  await page.getByLabel('Bot token').fill(BOT_TOKEN)
  await page.getByLabel('Bot token').blur()
  await expect(channel).toBeEnabled(ROOM)
  await channel.selectOption('Support (Acme)')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Waiting for the first message').first()).toBeVisible(ROOM)
  await expectNoFindings(page)
  await expect.poll(() => mattermost.openLines(), ROOM).toBe(1)

  const shop = await visitShop(scene)
  const { log, say } = await openChat(shop.page)
  await say('Is the oak desk still there?')
  const root = () => mattermost.roots().find(({ message }) => message.includes('oak desk'))
  await expect.poll(() => !!root(), ROOM).toBe(true)
  mattermost.say('ada', 'It is, in two sizes.', root()!.id)
  await expect(log.getByText('It is, in two sizes.')).toBeVisible(ROOM)
  await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible(ROOM)
  expect(faults.filter((fault) => !/status of 422|mattermost-channels/.test(fault))).toEqual([])
})
