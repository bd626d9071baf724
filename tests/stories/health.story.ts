import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { RELAY_KEY, writeMail } from '#tests/support/incoming-mail.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

const PATH = '/settings/health'
const REPORT = '**/api/health_report'

let scene: Scene
beforeAll(async () => {
  scene = await setScene({}, { MAIL_IN_DOMAIN: 'in.acme.test', MAIL_IN_KEY: RELAY_KEY })
})
afterAll(() => scene.close())

/** Creates a dead job of Acme: one that failed at every try. */
async function buryJob() {
  const client = new pg.Client(scene.database)
  await client.connect()
  await client.query(
    `insert into jobs.job (name, data, source_name, source_output, keep_until)
     values ('dead', $1, 'functions.run', $2, now() + interval '1 day')`,
    [{ account_id: scene.account_id }, { message: 'The outside world is away.' }],
  )
  await client.end()
}

test('an admin sees that everything works, and what the installation runs on', async () => {
  const { page, faults } = await openSignedIn(scene, '/settings/profile')
  await page.getByRole('link', { name: 'Health' }).click()
  await expect(page.getByRole('heading', { name: 'Health', level: 1 })).toBeVisible()
  await expect(page.getByText('Everything works.')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Your company' }).getByRole('row')).toHaveCount(7)
  await expect(page.getByRole('table', { name: 'Servers' })).toContainText('Running')
  await expect(page.getByText('None: emails are kept and shown under Account')).toBeVisible()
  await expectNoFindings(page, 'main')
  expect(faults).toEqual([])
})

test('a dead job is shown with its reason, and can be retried', async () => {
  await buryJob()
  const { page } = await openSignedIn(scene, PATH)
  await expect(page.getByText('1 problem needs your attention.')).toBeVisible()
  const jobs = page.getByRole('table', { name: 'Failed jobs' })
  await expect(jobs).toContainText('The outside world is away.')
  await expectNoFindings(page, 'main')
  await jobs.getByRole('button', { name: 'Try again functions.run' }).click()
  await expect(page.getByText('The job was queued again.')).toBeVisible()
  await expect(page.getByText('Everything works.')).toBeVisible()
  await expect(jobs).toBeHidden()
})

/** Receives a newsletter, which becomes no message, and sets it aside as if it had ended its worker process twice. */
async function setMailAside() {
  const forwarding_address = { source_email_address: 'support@acme.test' }
  const { data } = await call(scene.url, 'POST', '/api/forwarding_addresses', { forwarding_address }, scene.token)
  const to = data.forwarding_email_address
  const raw = writeMail({ to, text: 'Only today.', headers: { Precedence: 'bulk' } })
  const query = new URLSearchParams({ to })
  const address = `${scene.url}/api/inbound_mail/${encodeURIComponent(RELAY_KEY)}?${query}`
  await fetch(address, { method: 'POST', headers: { 'content-type': 'message/rfc822' }, body: raw })
  const client = new pg.Client(scene.database)
  await client.connect()
  const reason = 'It took more than 30 seconds, so the attempt was ended. This happened twice, so it was set aside.'
  const setAside = `update inbound_events set state = 'failed', tries = 2, reason = $1 where state = 'ignored'`
  await expect.poll(async () => (await client.query(setAside, [reason])).rowCount).toBe(1)
  await client.end()
}

test('a mail that could not be read is shown with its reason, and its original can be downloaded or read again', async () => {
  await setMailAside()
  const { page } = await openSignedIn(scene, PATH)
  const row = page.getByRole('row').filter({ hasText: 'This happened twice, so it was set aside.' })
  await expect(row).toBeVisible()
  await expect(page.getByText('Each is kept for two weeks')).toBeVisible()
  await expectNoFindings(page, 'main')
  const downloads = page.waitForEvent('download')
  await row.getByRole('button', { name: 'Download original' }).click()
  expect(readFileSync(await (await downloads).path(), 'utf8')).toContain('Only today.')
  await row.getByRole('button', { name: 'Try again' }).click()
  await expect(row).toBeHidden()
  await expect(page.getByText('Everything works.')).toBeVisible()
})

test('overdue work is marked as late, with a link to details', async () => {
  const { page } = await openSignedIn(scene, '/settings/profile')
  await page.route(REPORT, async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    const count = { waiting: 3, running: 0, failed: 0, oldest_seconds: 700, overdue_seconds: 600 }
    const backlogs = data.backlogs.map((backlog: { name: string }) =>
      backlog.name === 'webhooks' ? { ...backlog, count } : backlog,
    )
    await route.fulfill({ response, json: { data: { ...data, backlogs } } })
  })
  await page.goto(scene.url + PATH)
  await expect(page.getByText('1 task takes longer than it should.')).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: 'Webhooks' })
  await expect(row).toContainText('3 are waiting. The first was due 10 minutes ago.')
  await row.getByRole('link', { name: 'Open webhooks' }).click()
  await expect(page.getByRole('heading', { name: 'Event subscriptions', level: 1 })).toBeVisible()
})

test('an error of loading is shown, and a retry succeeds', async () => {
  const { page } = await openSignedIn(scene, '/settings/profile')
  await page.route(REPORT, (route) => route.abort())
  await page.goto(scene.url + PATH)
  await expect(page.getByRole('alert')).toContainText('Health could not be loaded')
  await page.unroute(REPORT)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Everything works.')).toBeVisible()
})
