import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import type { Context } from '../../context.ts'
import { noteAnswer, noteHandedOver } from '../../features/conversation-mails/note-sent.ts'
import { NoRecipient, prepareAnswer } from '../../features/conversation-mails/prepare-answer.ts'
import { Later, Never, type NewDelivery, type OpenDelivery, type Planned, type Receipt } from '../../integration.ts'
import { asSent, isRefusedForGood, type Mail } from '../../platform/mail/mailer.ts'
import { explain, openImap, openSmtp } from './client.ts'
import { type Mailbox, settingsOf } from './mailbox.ts'

/** While an answer can still be taken back. */
const UNDO_MS = 5_000

/** Answers of the team in conversations of mails leave by the mailbox that the conversation came by, or that of its inbox. */
export function wants({ event, conversation, authorizations }: Planned): NewDelivery[] {
  if (event.type !== 'message:created' || conversation?.source !== 'email') return []
  const { message } = event
  // What was written in another mail program has left already.
  if (message.metadata?.ses_message_id !== undefined) return []
  return authorizations
    .filter(({ id }) => id === conversation.mailbox_id)
    .map(({ id }) => ({
      authorization_id: id,
      kind: 'post' as const,
      queue: `mail ${conversation.id}`,
      conversation_id: conversation.id,
      message_id: message.id,
      not_before: new Date(Date.now() + UNDO_MS),
    }))
}

/** Sends one answer from the mailbox. A repeat bears the same Message-ID. */
export async function deliver(
  context: Context,
  { account_id, message_id, authorization }: OpenDelivery,
): Promise<Receipt> {
  const mailbox = authorization as unknown as Mailbox
  if (!message_id) return { dropped: true }
  const answer = await prepareAnswer(context, account_id, message_id, mailbox.address).catch((error: unknown) => {
    throw error instanceof NoRecipient ? new Never(error.message) : error
  })
  if (!answer) return { dropped: true }
  // Answers come back to the mailbox.
  const mail = { ...answer.mail, reply_to: null }
  const way = { account_id, message_id, authorization_id: mailbox.id }
  await context.change((open) => noteAnswer(open, way, { ...answer, mail }))
  const raw = await handOver(context, mailbox, mail).catch(async (error: Error) => {
    const failure = error.message.slice(0, 500)
    const outcome = error instanceof Never ? { failed_at: new Date().toISOString(), failure } : { failure }
    await context.change((open) => noteHandedOver(open, way, outcome))
    throw error
  })
  await context.change((open) => noteHandedOver(open, way, { sent_at: new Date().toISOString(), failure: null }))
  await keepCopy(context, mailbox, raw).catch((error) => {
    context.log.info({ err: error, authorization_id: mailbox.id }, 'A sent mail could not be kept in the mailbox')
  })
  return { external_id: mail.message_id }
}

async function handOver(context: Context, { credentials, address }: Mailbox, mail: Mail): Promise<Buffer> {
  const message = new MailComposer(asSent(mail, address!)).compile()
  const raw = await message.build()
  const transport = await openSmtp(context, credentials)
  try {
    await transport.sendMail({ envelope: message.getEnvelope(), raw })
    return raw
  } catch (error) {
    const said = (error as Error).message.slice(0, 300)
    if (isRefusedForGood(error)) throw new Never(`The mail server refused it: ${said}`)
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    if (code === 'EAUTH') throw explain(error, credentials.smtp_host)
    if (responseCode) throw new Later(`The mail server did not take it: ${said}`)
    throw new Later(explain(error, credentials.smtp_host).message, {
      restsAll: true,
      at: new Date(Date.now() + REST_MS),
    })
  } finally {
    transport.close()
  }
}

/** A server that cannot be reached is asked again after so long. */
const REST_MS = 30_000

/** Among the sent mails of the mailbox, as every mail program does. Gmail does it by itself. */
async function keepCopy(context: Context, mailbox: Mailbox, raw: Buffer): Promise<void> {
  const { sent_folder } = settingsOf(mailbox)
  if (!sent_folder || /\.gmail\.com$/.test(mailbox.credentials.smtp_host)) return
  const client = await openImap(context, mailbox.credentials)
  try {
    await client.append(sent_folder, raw, ['\\Seen'])
  } finally {
    client.close()
  }
}
