import { setTimeout as sleep } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import { REFERENCE_LANGUAGE } from '#contract/languages.ts'
import type { Context } from '../../context.ts'
import { translate } from '../../features/mail/mails/translate.ts'
import { RetryLater } from '../../integration.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { loopMark } from '../../platform/mail/signed-marks.ts'
import { newId } from '../../platform/secrets.ts'
import { openImap } from './client.ts'
import type { Mailbox } from './mailbox.ts'
import { submitMail } from './outgoing.ts'

/** Mail servers with virus scanners are slow. */
const TIMEOUT_MS = 25_000
const LOOK_MS = 500

/**
 * The action of the test button: sends a mail from the mailbox to itself and waits for it, which tests both directions.
 * @throws Later or Reconnect with what to do
 */
export async function testMailbox(context: Context, mailbox: Mailbox): Promise<void> {
  const { folder } = mailbox.settings
  const client = await openImap(context, mailbox.credentials)
  try {
    await client.mailboxOpen(folder, { readOnly: true }).catch(() => {
      throw new RetryLater(`The mailbox has no folder named ${folder}.`)
    })
    const mail = writeTest(context, mailbox.address!)
    await submitMail(context, mailbox, mail)
    if (await hasArrived(client, mail.message_id)) return
    throw new RetryLater(
      `The test mail was sent, but did not arrive in the folder ${folder} within ${TIMEOUT_MS / 1000} seconds. Check the other folders, such as spam.`,
    )
  } finally {
    client.close()
  }
}

/** Carries our mark, so that importing it creates no conversation. */
function writeTest({ config }: Context, address: string): Mail {
  const message_id = `<${newId()}@${new URL(config.baseUrl).hostname}>`
  const text = translate(REFERENCE_LANGUAGE, 'mailbox_test_text')
  return {
    message_id,
    to: address,
    from_name: null,
    from_address: address,
    reply_to: null,
    subject: translate(REFERENCE_LANGUAGE, 'mailbox_test_subject'),
    text,
    html: `<p>${text}</p>`,
    headers: { 'X-Parley-Loop': loopMark(config.secretKey!, message_id) },
  }
}

async function hasArrived(client: ImapFlow, message_id: string): Promise<boolean> {
  const until = Date.now() + TIMEOUT_MS
  while (Date.now() < until) {
    await client.noop()
    const uids = await client.search({ header: { 'message-id': message_id } }, { uid: true })
    if (Array.isArray(uids) && uids.length > 0) return true
    await sleep(LOOK_MS)
  }
  return false
}
