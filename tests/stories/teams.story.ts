import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, openSignedIn, type Scene, setScene } from './scene.ts'

let scene: Scene
const BEN = { email: 'ben@acme.test', password: 'correct horse battery' }

beforeAll(async () => {
  scene = await setScene()
  const { data } = await call(scene.url, 'POST', '/api/user_invitations', {}, scene.token)
  const user = { ...BEN, password_confirmation: BEN.password, invite_token: data.id }
  await call(scene.url, 'POST', '/api/registration', { user })
})
afterAll(() => scene.close())

async function write(body: string): Promise<string> {
  const token = `visitor-${crypto.randomUUID()}-${crypto.randomUUID()}`
  const { url, account_id } = scene
  const customer = { name: body }
  const visitor_session = { account_id, token, customer_id: crypto.randomUUID(), customer }
  await call(url, 'POST', '/api/visitor_sessions', { visitor_session })
  const { data } = await call(url, 'POST', '/api/conversations', { conversation: {} }, token)
  await call(url, 'POST', '/api/messages', { message: { conversation_id: data.id, body } }, token)
  return data.id
}

test('an admin makes a team of everybody; conversations go to whoever is there, and going away gives them back', async () => {
  const { page: ada } = await openSignedIn(scene, '/settings/teams')
  await ada.getByRole('button', { name: 'New team' }).click()
  const dialog = ada.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Front desk')
  await dialog.getByLabel('Inboxes').click()
  await ada.getByRole('option').first().click()
  await dialog.getByLabel('Open conversations at most').fill('2')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(ada.getByRole('row', { name: /Front desk/ })).toContainText('Everybody')

  const conversation_id = await write('Where is my parcel?')
  await ada.goto(`${scene.url}/conversations/me/${conversation_id}`)
  await expect(ada.getByText('automatically: online, 1 of 2')).toBeVisible()
  await expect(ada.getByLabel('Team', { exact: true })).toHaveText(/Front desk/)
  await expect(ada.getByRole('link', { name: 'Front desk' })).toBeVisible()

  const { page: ben } = await openSignedIn(scene, '/conversations/me', {}, BEN)
  await ada.getByRole('button', { name: 'You', exact: true }).click()
  await ada.getByRole('switch', { name: 'Away' }).click()
  await expect(ada.getByRole('dialog', { name: /Give back the conversation/ })).toBeVisible()
  await ada.getByRole('button', { name: 'Give back' }).click()
  await expect(ada.getByRole('button', { name: 'You (away)' })).toBeVisible()
  await expect(ben.getByText('Where is my parcel?').first()).toBeVisible()
  await ben.goto(`${scene.url}/conversations/me/${conversation_id}`)
  await ben.getByRole('button', { name: /^Assignee/ }).click()
  await expect(ben.getByRole('menuitemradio', { name: /ada.*\(away\)/ })).toBeVisible()
  await ben.keyboard.press('Escape')

  await ada.goto(`${scene.url}/settings/teams`)
  await ada.getByRole('button', { name: 'Disband Front desk' }).click()
  await expect(ada.getByText('1 conversation is kept')).toBeVisible()
  await ada.getByRole('dialog').getByRole('button', { name: 'Disband' }).click()
  await expect(ada.getByText('No teams yet')).toBeVisible()
  await expect(ben.getByRole('link', { name: 'Front desk' })).toBeHidden()
})
