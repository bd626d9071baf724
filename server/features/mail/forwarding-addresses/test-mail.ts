import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ForwardingAddress } from '#contract/mail/forwarding-addresses.ts'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { newId } from '../../../platform/secrets.ts'
import { languageOf } from '../../accounts/users/user-settings.ts'
import type { ParsedMail } from '../conversation-mails/parse.ts'
import { writeMail } from '../mails/mails.ts'
import { translate } from '../mails/translate.ts'

const HEADER = 'X-Parley-Test'

/**
 * Sends a mail to the source address. If it comes back here, forwarding works and the source belongs to the account.
 * @throws Refusal if no mail server is set
 */
export async function sendTestMail(
  context: Context,
  tx: Change,
  user_id: number,
  address: ForwardingAddress,
): Promise<void> {
  const { config, mailer } = context
  if (!mailer.isOn) throw new Refusal(409, 'No mail server is set up. Set SMTP_URL and start again.', 'no_mail_server')
  const { account_id, id, source_email_address: recipient } = address
  const language = await languageOf(tx.db, account_id, user_id)
  const text = translate(language, 'forwarding_test_text', { address: recipient })
  await writeMail(context, tx, account_id, {
    id: newId(),
    kind: 'forwarding_test',
    recipient,
    content: {
      subject: translate(language, 'forwarding_test_subject'),
      language,
      preview: text,
      parts: [{ type: 'text', text }],
    },
    headers: { [HEADER]: `${id} ${proofOf(config.secretKey!, id, recipient)}` },
  })
}

/** Whether a mail is the returned test mail of this source. */
export function isTestMailOf(secretKey: string, mail: ParsedMail, address: ForwardingAddress): boolean {
  const [value] = mail.headers.get(HEADER.toLowerCase()) ?? []
  if (!value) return false
  const expected = Buffer.from(`${address.id} ${proofOf(secretKey, address.id, address.source_email_address)}`)
  const sent = Buffer.from(value)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

function proofOf(secretKey: string, id: string, source: string): string {
  return createHmac('sha256', secretKey)
    .update(`forwarding test ${id} ${source.toLowerCase()}`)
    .digest('hex')
    .slice(0, 32)
}
