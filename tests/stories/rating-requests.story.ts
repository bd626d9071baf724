import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

let scene: Scene
let database: pg.Client
beforeAll(async () => {
  scene = await setScene()
  database = new pg.Client(scene.database)
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await scene.close()
})

const EMAIL = 'nia@customer.test'
const LOOKS = [
  ['light and wide', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const

const callApi = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)

describe('ratings by mail', () => {
  test('an admin lets an inbox ask for ratings, and the customer rates the conversation by the link in the mail', async () => {
    const { data: inbox } = await callApi('GET', '/api/inboxes/primary')
    const { page: admin } = await openSignedIn(scene, `/inboxes/${inbox.id}`)
    await admin.getByRole('button', { name: 'Edit' }).first().click()
    await admin.getByLabel('Ask for a rating by mail').selectOption('1 hour after closing')
    await expectNoFindings(admin)
    await admin.getByRole('button', { name: 'Save' }).click()
    await expect(admin.getByRole('dialog')).toBeHidden()

    const { page } = await openPage(scene.browser)
    const link = await askedBy(await answerAndClose())
    await page.goto(`${scene.url}${link}&score=4`)
    await expect(page.getByRole('heading', { name: 'How was your conversation with Acme?' })).toBeVisible()
    await expect(page.getByRole('radio', { name: 'Good' })).toBeChecked()
    await expectNoFindings(page)
    await page.getByText('Great', { exact: true }).click()
    await page.getByLabel('Anything you would like to add?').fill('Quick and kind.')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you for telling us.' })).toBeVisible()
    await expectNoFindings(page)

    await admin.goto(`${scene.url}/conversations/closed`)
    await admin.getByText('It is on its way.').first().click()
    await expect(admin.getByText('Rated 5 of 5')).toBeVisible()
    await expect(admin.getByText('Quick and kind.')).toBeVisible()
    await page.context().close()
    await admin.context().close()
  })

  test.each(LOOKS)(
    'the page keeps its layout, %s, and a link that is not ours says what to do',
    async (_name, look) => {
      const { page } = await openPage(scene.browser, look)
      await page.goto(`${scene.url}${await lastLink()}`)
      await expect(page.getByRole('radio', { name: 'Great' })).toBeChecked()
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
      expect(scrollWidth).toBe(clientWidth)
      await expectNoFindings(page)
      await page.goto(`${scene.url}/rate?token=nonsense&score=1`)
      await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
      await page.context().close()
    },
  )
})

async function answerAndClose(): Promise<string> {
  const { data: nia } = await callApi('POST', '/api/customers', {
    customer: { name: 'Nia', email: EMAIL, first_seen: '2026-11-01', last_seen_at: '2026-11-01T00:00:00Z' },
  })
  const { data: started } = await callApi('POST', '/api/conversations', { conversation: { customer_id: nia.id } })
  for (const body of ['Hello Nia.', 'It is on its way.']) {
    await callApi('POST', '/api/messages', { message: { conversation_id: started.id, body } })
  }
  await database.query('update conversations set first_replied_at = now() where id = $1', [started.id])
  await callApi('PUT', `/api/conversations/${started.id}`, { conversation: { status: 'closed' } })
  return started.id
}

/** Moves time on by an hour. Returns the link of the mail that asks then. */
async function askedBy(conversation_id: string): Promise<string> {
  const planned = async () =>
    (
      await database.query(
        `update jobs.job set start_after = now() where name = 'ratingRequests.ask'
         and data ->> 'conversation_id' = $1 returning id`,
        [conversation_id],
      )
    ).rowCount
  await expect.poll(planned, { timeout: 15_000 }).toBe(1)
  await expect.poll(lastLink, { timeout: 15_000 }).toBeTruthy()
  return (await lastLink())!
}

async function lastLink(): Promise<string | undefined> {
  const { rows } = await database.query("select text from mails where kind = 'rating' and recipient = $1", [EMAIL])
  return /\/rate\?token=[\w-]+/.exec(rows[0]?.text ?? '')?.[0]
}
