import pg from 'pg'
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
  const { log, sendMessage } = await openChat(shop.page)
  await sendMessage('Is the oak desk still there?')
  const root = () => mattermost.roots().find(({ message }) => message.includes('oak desk'))
  await expect.poll(() => !!root(), ROOM).toBe(true)
  mattermost.post('ada', 'It is, in two sizes.', root()!.id)
  await expect(log.getByText('It is, in two sizes.')).toBeVisible(ROOM)
  await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible(ROOM)
  expect(faults.filter((fault) => !/status of 422|mattermost-channels/.test(fault))).toEqual([])
})

/** The team writes while the connection is down, which comes back three days later. */
async function waitLong(conversation_id: string, bodies: string[]): Promise<void> {
  const client = new pg.Client(scene.database)
  await client.connect()
  await client.query("UPDATE authorizations SET paused_until = now() + interval '1 hour'")
  for (const body of bodies) {
    await call(scene.url, 'POST', '/api/messages', { message: { conversation_id, body } }, scene.token)
  }
  const waiting = async () => {
    const { rows } = await client.query("SELECT count(*)::int AS count FROM deliveries WHERE state = 'waiting'")
    return rows[0].count
  }
  await expect.poll(waiting, ROOM).toBe(bodies.length)
  await client.query("UPDATE deliveries SET begun_at = now() - interval '3 days' WHERE state = 'waiting'")
  await client.query('UPDATE authorizations SET paused_until = NULL, connected_at = now()')
  await client.end()
}

test('deliveries that waited for over a day are sent or, after confirmation, discarded by an admin', async () => {
  const { data } = await call(scene.url, 'GET', '/api/conversations?limit=1', undefined, scene.token)
  const posts = () => [...mattermost.posts.values()].map(({ message }) => message).join()
  await waitLong(data[0].id, ['It is oak.', 'And oiled.'])
  const { page, faults } = await openSignedIn(scene, `/inboxes/${inbox_id}/integrations/mattermost`)
  await expect(page.getByText('2 messages have waited for over a day. Should they still be sent?')).toBeVisible(ROOM)
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Send now' }).click()
  await expect.poll(posts, ROOM).toContain('And oiled.')
  await expect(page.getByText(/waited for over a day/)).toHaveCount(0, ROOM)
  expect(posts()).toContain('It is oak.')

  await waitLong(data[0].id, ['Sold by now.'])
  await page.reload()
  await expect(page.getByText('1 message has waited for over a day. Should it still be sent?')).toBeVisible(ROOM)
  const discard = page.getByRole('button', { name: 'Discard', exact: true }).first()
  await discard.click()
  await expect(page.getByText('Discard 1 message that was not sent?')).toBeVisible()
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await expect(page.getByText('1 message has waited')).toBeVisible()
  await discard.click()
  await page.getByRole('button', { name: 'Yes', exact: true }).click()
  await expect(page.getByText(/waited for over a day/)).toHaveCount(0, ROOM)
  expect(posts()).not.toContain('Sold by now.')
  expect(faults).toEqual([])
})
