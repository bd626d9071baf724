import { afterAll, beforeAll, describe, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { RELAY_KEY, writeMail } from '#tests/support/incoming-mail.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

let scene: Scene
let smtp: MailServer
let to: string
beforeAll(async () => {
  smtp = await startMailServer()
  scene = await setScene({}, { MAIL_IN_DOMAIN: 'in.acme.test', MAIL_IN_KEY: RELAY_KEY, SMTP_URL: smtp.url })
  const forwarding_address = { source_email_address: 'support@acme.test' }
  const { data } = await call(scene.url, 'POST', '/api/forwarding_addresses', { forwarding_address }, scene.token)
  to = data.forwarding_email_address
})
afterAll(async () => {
  await scene.close()
  await smtp.close()
})

/** Receives a mail at an address of ours. */
async function receive(from: string, text: string, at = to): Promise<void> {
  const raw = writeMail({ to: at, from, text })
  const response = await fetch(
    `${scene.url}/api/inbound_mail/${encodeURIComponent(RELAY_KEY)}?to=${encodeURIComponent(at)}`,
    { method: 'POST', headers: { 'content-type': 'message/rfc822' }, body: raw },
  )
  expect(response.status).toBe(200)
}

const LOOKS = [
  ['light and wide', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const

describe('recipients', () => {
  test.each(LOOKS)('the agent sees who is answered, and splits off a newcomer, %s', async (_name, options) => {
    const look = options.colorScheme
    const shot = async (name: string) => {
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/recipients-${name}-${look}.png` })
    }
    const customer = `ina-${look}@home.test`
    await receive(`Ina Berg <${customer}>`, 'Is my desk ready?')
    const { page } = await openSignedIn(scene, '/conversations/all', options)
    await page
      .getByRole('link', { name: /Is my desk ready/ })
      .first()
      .click()
    const line = page.getByRole('button', { name: /^Recipients of the mail:/ })
    await expect(line).toHaveText(`Recipients of the mail: To Ina Berg <${customer}>`)
    await shot('line')

    const box = page.getByPlaceholder('Write a reply')
    await box.fill('It is.')
    await line.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Bcc' }).fill('nobody')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('“nobody” is not an email address.')
    await page.getByRole('textbox', { name: 'Bcc' }).fill('')
    await page.getByRole('textbox', { name: 'Cc', exact: true }).fill(`tax-${look}@office.test,`)
    await expect(page.getByText('new in this conversation')).toBeVisible()
    await expectNoFindings(page)
    await shot('fields')
    const send = page.getByRole('button', { name: 'Send', exact: true })
    await send.click()
    const question = page.getByRole('dialog', { name: `Send also to tax-${look}@office.test?` })
    await expectNoFindings(page)
    await shot('question')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(box).toHaveValue('It is.')
    await send.click()
    await question.getByRole('button', { name: 'Send' }).click()
    const mail = await smtp.receive(customer)
    expect(mail.cc?.map(({ address }) => address)).toEqual([`tax-${look}@office.test`])
    expect(mail.text).not.toContain('Is my desk ready?')
    await expect(page.getByText(`Cc tax-${look}@office.test`).last()).toBeVisible()

    const reply_to = mail.replyTo![0]!.address!
    await receive(`Otto <otto-${look}@else.test>`, 'And where is mine?', reply_to)
    await expect(page.getByText('is not the customer')).toBeVisible()
    await expect(page.getByText('Sender not verified')).toBeVisible()
    await expect(line).toHaveText(`Recipients of the mail: To Ina Berg <${customer}> Cc tax-${look}@office.test`)
    await expectNoFindings(page)
    await shot('newcomer')
    await page.getByRole('button', { name: 'Split off' }).click()
    await expect(line).toHaveText(`Recipients of the mail: To Otto <otto-${look}@else.test>`)
    await expect(page.getByText('And where is mine?').last()).toBeVisible()
    await expect(page.getByText('is not the customer')).toBeHidden()
    await shot('split')
  })
})
