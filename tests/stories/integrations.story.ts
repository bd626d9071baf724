import { afterAll, beforeAll, test } from 'vitest'
import {
  type ImapServer,
  MAILBOX_PASSWORD,
  MAILBOX_USER,
  plainMail,
  startImapServer,
} from '#tests/emulators/imap-server.ts'
import { expect } from '#tests/support/browser.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

let scene: Scene
let imap: ImapServer
let smtp: MailServer
let inbox_id: string
beforeAll(async () => {
  ;[imap, smtp] = await Promise.all([startImapServer(), startMailServer()])
  scene = await setScene({}, { REACHABLE_HOSTS: '127.0.0.1' })
  inbox_id = (await call(scene.url, 'GET', '/api/inboxes/primary', undefined, scene.token)).data.id
})
afterAll(async () => {
  await scene.close()
  await Promise.all([imap.close(), smtp.close()])
})

const ROOM = { timeout: 40_000 }

test('admins see what is connected, connect a mailbox, answer a mail, and see what was not sent', async () => {
  const { page, faults } = await openSignedIn(scene, '/integrations')
  for (const title of ['Popular', 'Inbox source channels', 'Inbox reply channels', 'Account-level integrations']) {
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
  }
  const popular = page.getByRole('table', { name: 'Popular' })
  await expect(popular.getByRole('row').filter({ hasText: 'Mailbox' })).toContainText('Not connected')
  await expect(page.getByRole('link', { name: 'Choose an inbox' })).toHaveAttribute('href', '/inboxes')
  await expectNoFindings(page)

  await popular.getByRole('link', { name: 'Configure Mailbox' }).click()
  await expect(page).toHaveURL(`${scene.url}/inboxes/${inbox_id}/integrations/mailbox`)
  await expect(page.getByRole('heading', { name: 'How does it work?' })).toBeVisible()
  await page.getByLabel('Email address').fill('support@gmail.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await expect(page.getByText('This provider wants an app password')).toBeVisible()
  const [imapServer, smtpServer] = [
    page.getByRole('group', { name: 'Incoming' }),
    page.getByRole('group', { name: 'Outgoing' }),
  ]
  await expect(imapServer.getByLabel('Server')).toHaveValue('imap.gmail.com')
  await expectNoFindings(page)
  await page.getByLabel('Email address').fill(MAILBOX_USER)
  await page.getByLabel('Email address').blur()
  await expect(imapServer.getByLabel('Server')).toHaveValue('imap.acme.test')
  for (const [server, port] of [
    [imapServer, String(imap.port)],
    [smtpServer, new URL(smtp.url).port],
  ] as const) {
    await server.getByLabel('Server').fill('127.0.0.1')
    await server.getByLabel('Port').fill(port)
    await server.getByLabel('Encryption').selectOption('None')
  }
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('127.0.0.1 refused the user name or the password.', ROOM)
  await page.getByLabel('Password', { exact: true }).fill(MAILBOX_PASSWORD)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText('Waiting for the first message').first()).toBeVisible(ROOM)
  await expectNoFindings(page)

  imap.deliverMail(
    plainMail({ from: 'Nora <nora@customer.test>', subject: 'Desk', text: 'Where is my desk?', id: 'desk' }),
  )
  await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible(ROOM)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await smtp.receive(MAILBOX_USER)
  imap.deliverMail(smtp.envelopes.at(-1)!.raw.toString('latin1'))
  await expect(page.getByText('The connection works.')).toBeVisible(ROOM)
  await expect(page.getByText('Everything was sent')).toBeVisible()

  await page.goto(`${scene.url}/inboxes/${inbox_id}`)
  await expect(page.getByRole('link', { name: /Mailbox/ })).toContainText('Connected')

  const { data } = await call(scene.url, 'GET', '/api/conversations', undefined, scene.token)
  const { id } = data.find((conversation: { subject: string | null }) => conversation.subject === 'Desk')
  smtp.refuseWith(550)
  await page.goto(`${scene.url}/conversations/all/${id}`)
  const message = { conversation_id: id, body: 'It is on its way.' }
  await call(scene.url, 'POST', '/api/messages', { message }, scene.token)
  const line = page.getByRole('status').filter({ hasText: 'Not sent by email: The mail server refused it' })
  await expect(line).toBeVisible(ROOM)
  await expectNoFindings(page)
  smtp.refuseWith(undefined)
  await line.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Sent by email', { exact: true })).toBeVisible(ROOM)
  expect(smtp.mails.map(({ subject }) => subject)).toEqual(['Testing this mailbox with Parley', 'Re: Desk'])

  await page.goto(`${scene.url}/inboxes/${inbox_id}/integrations/mailbox`)
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Not connected').first()).toBeVisible(ROOM)
  // Expected: the refusal of the wrong password.
  expect(faults.filter((fault) => !/status of 422|^Not saved/.test(fault))).toEqual([])
})
