import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { RELAY_KEY, writeMail } from '#tests/support/incoming-mail.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

let scene: Scene
let smtp: MailServer
beforeAll(async () => {
  smtp = await startMailServer()
  scene = await setScene({}, { MAIL_IN_DOMAIN: 'in.acme.test', MAIL_IN_KEY: RELAY_KEY, SMTP_URL: smtp.url })
  // Mails to addresses of their choice are sent only for people who have confirmed their own.
  const client = new pg.Client(scene.database)
  await client.connect()
  await client.query('update users set email_verified_at = now()')
  await client.end()
})
afterAll(async () => {
  await scene.close()
  await smtp.close()
})

async function relayRawMail(raw: string | Buffer, to: string): Promise<void> {
  const address = `${scene.url}/api/inbound_mail/${encodeURIComponent(RELAY_KEY)}?to=${encodeURIComponent(to)}`
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    body: new Uint8Array(Buffer.from(raw)),
  })
  expect(answer.status).toBe(200)
}

const PLAN = Buffer.from('As it was drawn.')
const LOOKS = [
  ['light and wide', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const

describe('mail', () => {
  test('an admin sets up forwarding, a test mail proves it, and a customer is answered by mail', async () => {
    const { page } = await openSignedIn(scene, '/settings/email-forwarding')
    await expect(page.getByText('No forwarding addresses yet')).toBeVisible()
    await expectNoFindings(page)
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await page.getByLabel('Your support address').fill('support@acme.test')
    await page.getByRole('button', { name: 'Save' }).click()
    const link = page.getByRole('link', { name: /@in\.acme\.test$/ })
    await expect(link).toHaveAttribute('href', /^mailto:[a-z2-7]{32}@in\.acme\.test$/)
    const to = (await link.textContent())!
    await expect(page.getByText('Waiting for a test mail')).toBeVisible()
    await page.getByRole('button', { name: 'Send test support@acme.test' }).click()
    await smtp.receive('support@acme.test')
    const { raw } = smtp.envelopes.find((envelope) => envelope.to.includes('support@acme.test'))!
    await relayRawMail(raw, to)
    await expect(page.getByText('Verified', { exact: true })).toBeVisible()
    await expectNoFindings(page)

    await relayRawMail(writeMail({ to, from: 'Nora <nora@example.org>', text: 'Where is my desk?' }), to)
    await page.goto(`${scene.url}/conversations/all`)
    await page.getByRole('link', { name: /Nora/ }).click()
    await expect(page.getByText('Where is my desk?').last()).toBeVisible()
    await expect(page.getByText(/^Sent via Email /)).toBeVisible()
    await page.getByRole('button', { name: 'Show the mail as it was sent' }).click()
    await expect(page.getByText('From nora@example.org to')).toBeVisible()
    await page.getByRole('button', { name: /^Recipients of the mail: To Nora <nora@example.org>/ }).click()
    await page.getByRole('textbox', { name: 'Cc', exact: true }).fill('boss@example.org')
    await page.keyboard.press('Enter')
    await expect(page.getByText('new in this conversation')).toBeVisible()
    await expectNoFindings(page)
    const box = page.getByPlaceholder('Write a reply')
    await box.fill('Not quite')
    await page.locator('input[type=file]').setInputFiles([{ name: 'plan.txt', mimeType: 'text/plain', buffer: PLAN }])
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Send also to boss@example.org?' })
    await expectNoFindings(page)
    await question.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('button', { name: /Undo/ }).click()
    await expect(box).toHaveValue('Not quite')
    await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('plan.txt')
    await box.fill('It comes on Friday.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const mail = await smtp.receive('nora@example.org')
    expect([mail.from?.address, mail.subject, mail.cc?.[0]?.address]).toEqual([
      'support@acme.test',
      'Re: My order',
      'boss@example.org',
    ])
    expect(mail.text).toContain('It comes on Friday.')
    expect(mail.attachments).toMatchObject([{ filename: 'plan.txt' }])
    expect(smtp.mails.some(({ text }) => text?.includes('Not quite'))).toBe(false)
    await page.getByRole('button', { name: 'Forward by mail' }).click()
    const forwarding = page.getByRole('dialog', { name: 'Forward by mail' })
    await forwarding.getByRole('button', { name: 'Forward' }).click()
    await expect(forwarding.getByRole('alert')).toBeVisible()
    await forwarding.getByLabel('To').fill('carpenter@wood.test')
    await forwarding.getByLabel('Note above them').fill('Can you make one by Friday?')
    await expectNoFindings(page)
    await forwarding.getByRole('button', { name: 'Forward' }).click()
    await expect(page.getByText('Forwarded to carpenter@wood.test', { exact: true })).toBeVisible()
    await expect(page.getByText('Forwarded by mail to carpenter@wood.test.').first()).toBeVisible()
    expect((await smtp.receive('carpenter@wood.test')).text).toContain('> Where is my desk?')
    await page.goto(`${scene.url}/settings/email-forwarding`)
    await page.getByRole('button', { name: 'Delete support@acme.test' }).click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await expect(page.getByText('No forwarding addresses yet')).toBeVisible()
  })

  test.each(LOOKS)('the forwarding page of an inbox and the signature, %s', async (_name, options) => {
    const { data } = await call(scene.url, 'GET', '/api/inboxes', undefined, scene.token)
    const { page } = await openSignedIn(scene, `/inboxes/${data[0].id}/email-forwarding`, options)
    await expect(page.getByRole('link', { name: 'Back to inbox' })).toBeVisible()
    const source = `${options.colorScheme}@acme.test`
    // Addresses are random and may contain the word.
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByLabel('Your support address').fill(source)
    await expectNoFindings(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(source, { exact: true })).toBeVisible()
    await expectNoFindings(page)
    await page.goto(`${scene.url}/settings/profile`)
    await expect(page.getByRole('heading', { name: 'Email signature' })).toBeVisible()
    await expectNoFindings(page)
  })
})
