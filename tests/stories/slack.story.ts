import type { Locator } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import type { SlackEmulator } from '#tests/emulators/slack.ts'
import { expect } from '#tests/support/browser.ts'
import { slackSettings, startSlack } from '#tests/support/slack.ts'
import { call, expectNoFindings, openChat, openSignedIn, type Scene, setScene, visitShop } from './scene.ts'

let scene: Scene
let slack: SlackEmulator
let inbox_id: string
beforeAll(async () => {
  slack = await startSlack()
  scene = await setScene({}, slackSettings(slack))
  inbox_id = (await call(scene.url, 'GET', '/api/inboxes/primary', undefined, scene.token)).data.id
})
afterAll(async () => {
  await scene.close()
  await slack.close()
})

const ROOM = { timeout: 40_000 }

/** Scrolls a field to the center and waits for the scroll event, which would close the field's open list. */
function scrollToCenter(field: Locator) {
  return field.evaluate((element) => {
    element.scrollIntoView({ block: 'center' })
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  })
}

test('an admin connects a channel, and a visitor is answered from Slack', async () => {
  const { team } = slack
  const { page, faults } = await openSignedIn(scene, `/inboxes/${inbox_id}/integrations/slack/reply`)
  await expect(page.getByRole('heading', { name: 'Reply from Slack' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create the app' })).toHaveAttribute('href', /new_app=1&manifest_json=/)
  await expectNoFindings(page)
  await page.getByLabel('Bot token').fill('xoxb-wrong')
  await page.getByLabel('App token').fill(team.app_token)
  await page.getByRole('button', { name: 'Find channels' }).click()
  await expect(page.getByRole('alert')).toContainText('Slack no longer accepts the token.', ROOM)
  await page.getByLabel('Bot token').fill(team.bot_token)
  await page.getByRole('button', { name: 'Find channels' }).click()
  await expect(page.getByText('Workspace: Acme.')).toBeVisible(ROOM)
  const channel = page.getByRole('combobox', { name: 'Channel' })
  await scrollToCenter(channel)
  await channel.fill('supp')
  await page.getByRole('option', { name: '#support' }).click()
  await page.getByRole('button', { name: 'Connect the channel' }).click()
  await expect(page.getByText('Waiting for the first message').first()).toBeVisible(ROOM)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText('The connection works.')).toBeVisible(ROOM)
  await expect.poll(() => slack.openLines(), ROOM).toBe(1)
  const [test] = (await team.messages('support')).filter(({ text }) => text.includes('This is a test'))
  await team.post('ada', 'support', '✔', { thread_ts: test!.ts })
  await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible(ROOM)
  await expect(page.getByText('https://api.slack.com/apps/')).toBeVisible()
  await expectNoFindings(page)

  const shop = await visitShop(scene)
  const { log, sendMessage } = await openChat(shop.page)
  await sendMessage('Is the oak desk still there?')
  const roots = async () => (await team.messages('support')).filter(({ text }) => text.includes('oak desk'))
  await expect.poll(async () => (await roots()).length, ROOM).toBe(1)
  const [root] = await roots()
  const thread = async () => (await team.messages('support', root!.ts)).map(({ text }) => text).join()
  await expect.poll(thread, ROOM).toContain('Send a message here to get started!')
  const { data } = await call(scene.url, 'GET', '/api/conversations', undefined, scene.token)
  await page.goto(`${scene.url}/conversations/all/${data[0].id}`)
  await expect(page.getByRole('link', { name: '#support' })).toBeVisible(ROOM)
  await team.post('ada', 'support', 'It is, in two sizes.', { thread_ts: root!.ts })
  await expect(log.getByText('It is, in two sizes.')).toBeVisible(ROOM)
  await team.post('ada', 'support', ';; only until Friday', { thread_ts: root!.ts })
  await expect(page.getByText('only until Friday').first()).toBeVisible(ROOM)
  await expect(log.getByText('only until Friday')).toHaveCount(0)

  slack.refuseCalls('chat.postMessage', 'not_in_channel')
  await sendMessage('Wonderful!')
  await page.goto(`${scene.url}/inboxes/${inbox_id}/integrations/slack/reply`)
  await expect(page.getByText('Invite the app to #support').first()).toBeVisible(ROOM)
  await expect(page.getByText('Action required', { exact: true }).first()).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Find channels' }).click()
  await page.getByRole('button', { name: 'Connect again' }).click()
  await expect(page.getByText('Action required', { exact: true })).toHaveCount(0, ROOM)
  await expect.poll(thread, ROOM).toContain('Wonderful!')
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Not connected').first()).toBeVisible(ROOM)
  expect(faults.filter((fault) => !/status of 422|^Not saved/.test(fault))).toEqual([])
})

test('an admin connects two workspaces where customers write, chooses what becomes a conversation, and a company’s channel', async () => {
  const [team, shared] = slack.teams as [typeof slack.team, typeof slack.team]
  const { page } = await openSignedIn(scene, `/integrations/slack?type=support`)
  await expect(page.getByText('No workspace is connected')).toBeVisible(ROOM)
  for (const workspace of [team, shared]) {
    await page.getByLabel('Bot token').fill(workspace.bot_token)
    await page.getByLabel('App token').fill(workspace.app_token)
    await page.getByRole('button', { name: 'Find channels' }).click()
    const channel = page.getByRole('combobox', { name: 'Channel' })
    await scrollToCenter(channel)
    await channel.fill('customers')
    await expect(page.getByRole('option', { name: '#customers' })).toBeVisible()
    await channel.press('ArrowDown')
    await channel.press('Enter')
    await expect(channel).toHaveValue('#customers')
    await page.getByRole('button', { name: 'Connect the channel' }).click()
    await expect(page.getByRole('cell', { name: workspace.name, exact: true })).toBeVisible(ROOM)
    if (workspace === team) await page.getByRole('button', { name: 'Add workspace' }).click()
  }
  await page.getByRole('button', { name: 'Configure Shared' }).click()
  await expect(page.getByRole('heading', { name: 'Settings for Shared' })).toBeVisible()
  await page.getByRole('switch', { name: 'Sync all incoming messages' }).click()
  await expect(page.getByLabel('Trigger emoji')).toBeDisabled()
  await expectNoFindings(page)
  await page.reload()
  await page.getByRole('button', { name: 'Configure Shared' }).click()
  await expect(page.getByRole('switch', { name: 'Sync all incoming messages' })).not.toBeChecked()

  await page.goto(`${scene.url}/companies/new`)
  await page.getByLabel('Name').fill('Globex')
  await page.getByRole('combobox', { name: 'Slack workspace' }).selectOption('Shared')
  await page.getByRole('combobox', { name: 'Slack channel' }).fill('glo')
  await page.getByRole('option', { name: '#globex' }).click()
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Slack channel: #globex (Shared)')).toBeVisible(ROOM)
})
