import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, openSignedIn, type Scene, setScene } from './scene.ts'

let scene: Scene
let inbox_id: string
beforeAll(async () => {
  scene = await setScene()
  const { data } = await call(scene.url, 'GET', '/api/inboxes', undefined, scene.token)
  inbox_id = data[0].id
})
afterAll(() => scene.close())

const MODIFY = 'https://www.googleapis.com/auth/gmail.modify'
const SHEETS = 'https://www.googleapis.com/auth/spreadsheets'

test('returns of Google and Slack lead to the page of what was asked for, with the other parameters', async () => {
  const { page } = await openSignedIn(scene, '/integrations')
  const leadsTo = async (from: string, to: string) => {
    await page.goto(scene.url + from)
    await expect(page, from).toHaveURL(scene.url + to)
  }
  const query = (all: Record<string, string>) => `?${new URLSearchParams(all)}`
  const gmail = query({ scope: MODIFY, type: 'support', from: 'mail' })
  await leadsTo(`/integrations/google${gmail}`, `/integrations/google/gmail${gmail}`)
  await leadsTo(
    `/inboxes/${inbox_id}/integrations/google${gmail}`,
    `/inboxes/${inbox_id}/integrations/google/gmail${gmail}`,
  )
  const sheets = query({ scope: SHEETS, state: 'abc' })
  await leadsTo(`/integrations/google${sheets}`, `/integrations/google/sheets${sheets}`)
  await leadsTo('/integrations/google?type=support', '/integrations')
  await leadsTo(
    `/integrations/slack?type=reply&inbox_id=${inbox_id}&from=mail`,
    `/inboxes/${inbox_id}/integrations/slack/reply?from=mail`,
  )
  await leadsTo(`/integrations/slack?state=support:${inbox_id}`, `/inboxes/${inbox_id}/integrations/slack/support`)
  await leadsTo('/integrations/slack?type=other', '/integrations')
  await leadsTo(`/inboxes/${inbox_id}/integrations`, `/inboxes/${inbox_id}`)
})

test('a refused personal connection leads back to the profile, and new repositories of GitHub’s app are no failure', async () => {
  const { page } = await openSignedIn(scene, '/settings/profile?code=4711&state=nobody')
  await expect(page).toHaveURL(`${scene.url}/settings/profile`)
  await expect(page.getByRole('heading', { name: 'My profile' })).toBeVisible()
  await page.goto(`${scene.url}/integrations/github?installation_id=1&setup_action=update`)
  await expect(page.getByText('The repositories of the app were updated.')).toBeVisible()
  await expect(page).toHaveURL(`${scene.url}/integrations/github`)
})

test('pages of an unknown inbox say so', async () => {
  const { page } = await openSignedIn(scene, '/integrations')
  const unknown = '/inboxes/00000000-0000-4000-8000-000000000000/integrations'
  for (const path of ['slack/reply', 'slack/support', 'mattermost', 'twilio', 'google/gmail', 'mailbox']) {
    await page.goto(`${scene.url}${unknown}/${path}`)
    await expect(page.getByRole('heading', { name: 'Error retrieving inbox' }), path).toBeVisible()
  }
})

test('each integration is listed once, and the settings of inboxes have the navigation of the settings', async () => {
  const { page } = await openSignedIn(scene, '/integrations')
  await expect(page.getByRole('link', { name: 'Configure Chat widget' })).toHaveCount(1)
  await page.goto(`${scene.url}/inboxes/${inbox_id}`)
  await expect(page.getByRole('navigation', { name: 'Settings' })).toBeVisible()
  await page.goto(`${scene.url}/inboxes/${inbox_id}/conversations`)
  await expect(page.getByRole('navigation', { name: 'Settings' })).toBeHidden()
})
