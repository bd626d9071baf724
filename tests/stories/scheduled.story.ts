import pg from 'pg'
import { afterAll, beforeAll, expect as check, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openDashboard, type Scene, setScene } from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

/** A customer in Saigon asks something. */
async function ask(name: string, body: string) {
  const { account_id, url, token } = scene
  const customer = { account_id, name, time_zone: 'Asia/Ho_Chi_Minh' }
  const { data } = await call(url, 'POST', '/api/customers', { customer })
  const customer_id = data.id as string
  const opened = await call(url, 'POST', '/api/conversations', { conversation: { account_id, customer_id } })
  const conversation_id = opened.data.id as string
  const write = (text: string) =>
    call(url, 'POST', '/api/messages', { message: { conversation_id, customer_id, body: text } }, token)
  await write(body)
  return { conversation_id, write }
}

const bodiesOf = async (conversation_id: string) => {
  const { data } = await call(
    scene.url,
    'GET',
    `/api/messages?conversation_id=${conversation_id}`,
    undefined,
    scene.token,
  )
  return data.map(({ body }: { body: string }) => body).toReversed()
}

/** Holds back what is scheduled in a conversation, as at its time. */
async function holdBack(conversation_id: string) {
  const client = new pg.Client(scene.database)
  await client.connect()
  await client.query("update scheduled_messages set held_reason = 'answered' where conversation_id = $1", [
    conversation_id,
  ])
  await client.end()
}

async function openConversation(id: string) {
  const { page } = await openDashboard(scene)
  await page.goto(`${scene.url}/conversations/all/${id}`)
  return { page, box: page.getByPlaceholder('Write a reply') }
}

test('a reply is scheduled from the menu, shown at the end of the thread, changed, listed and cancelled into the composer', async () => {
  const { conversation_id, write } = await ask('Linh', 'Is the lamp back?')
  const { page, box } = await openConversation(conversation_id)
  await box.fill('It is back on Monday.')
  await page.getByRole('button', { name: 'Send later and more' }).click()
  await expectNoFindings(page)
  await page.getByRole('menuitem', { name: /^Tomorrow morning/ }).click()
  await expect(box).toHaveValue('')
  await expect(page.getByText(/^Will be sent/)).toBeVisible()
  check(await bodiesOf(conversation_id)).toEqual(['Is the lamp back?'])
  await page.getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change' })
  await dialog.getByLabel('Text').fill('It is back on Tuesday.')
  await expect(dialog.getByText(/for Linh$/)).toBeVisible()
  await expectNoFindings(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('It is back on Tuesday.')).toBeVisible()
  await expectNoFindings(page)
  await write('Never mind, I found one.')
  await expect(page.getByText(/It will be held back/)).toBeVisible()
  await page.getByRole('link', { name: 'Scheduled' }).click()
  await expect(page.getByRole('heading', { name: 'Scheduled' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'It is back on Tuesday.' })).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(box).toHaveValue('It is back on Tuesday.')
  await expect(page.getByText(/^Will be sent/)).toHaveCount(0)
})

test('the time is chosen with the keyboard alone, and what is held back says why', async () => {
  const { conversation_id, write } = await ask('Minh', 'Any news?')
  const { page, box } = await openConversation(conversation_id)
  await box.fill('We will know tomorrow.')
  await page.keyboard.press('Control+j')
  const dialog = page.getByRole('dialog', { name: 'Send later' })
  await dialog.getByRole('button', { name: 'Schedule' }).press('Enter')
  await expect(page.getByText(/^Will be sent/)).toBeVisible()
  await write('Still waiting')
  await holdBack(conversation_id)
  await page.reload()
  await expect(page.getByText('Not sent: the customer wrote first.')).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Send now' }).click()
  await expect(page.getByRole('button', { name: 'Send now' })).toHaveCount(0)
  await expect.poll(() => bodiesOf(conversation_id)).toEqual(['Any news?', 'Still waiting', 'We will know tomorrow.'])
})

test('with a time to undo, a chat reply can be taken back, and otherwise arrives; a reminder is chosen while sending', async () => {
  const settings = { user_settings: { undo_seconds: 5 } }
  await call(scene.url, 'PUT', '/api/user_settings', settings, scene.token)
  const { conversation_id } = await ask('Trang', 'Where is my order?')
  const { page, box } = await openConversation(conversation_id)
  await box.fill('Wrong window')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText(/^Sends in \d s$/)).toBeVisible()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(box).toHaveValue('Wrong window')
  await box.fill('It left this morning.')
  await page.getByRole('button', { name: 'Send later and more' }).click()
  await page.getByRole('menuitem', { name: 'Send, and remind me in 3 days if nobody answers' }).click()
  await expect
    .poll(() => bodiesOf(conversation_id), { timeout: 20_000 })
    .toEqual(['Where is my order?', 'It left this morning.'])
  await expect(page.getByText(/^Comes back .* unless somebody answers$/)).toBeVisible()
  await call(scene.url, 'PUT', '/api/user_settings', { user_settings: { undo_seconds: null } }, scene.token)
})
