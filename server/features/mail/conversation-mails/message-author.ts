import type { Change } from '../../../platform/db/change.ts'
import { draftOf } from './draft.ts'
import { findActiveUser, findAuthor } from './find-author.ts'
import { readMailHistory } from './mail-history.ts'
import type { IncomingMail, MailWithSender } from './receive-mail.ts'

/** Who writes a mail's message, and the message. */
export async function chooseAuthor(
  { db }: Change,
  { account_id, hints }: IncomingMail,
  reading: MailWithSender,
  { id, customer_id }: { id: string; customer_id: string },
) {
  if (hints.sent) {
    const user = await findActiveUser(db, account_id, reading.from.address)
    const user_id = user?.id ?? hints.mailbox_user_id ?? null
    // Nobody here has that address, so it is shown as a message of the team without author.
    const author = user_id === null ? { kind: 'bot' as const, user_id } : { kind: 'user' as const, user_id }
    return { author, draft: { ...draftOf(reading, { kind: 'customer' }), isQuiet: user_id === null } }
  }
  if (reading.verdict.kind === 'automatic') {
    const draft = { ...draftOf(reading, { kind: 'other', from: reading.from }), private: true, isQuiet: true }
    return { author: { kind: 'bot' as const, user_id: null }, draft }
  }
  const { from, mail, own, sender } = reading
  const author = await findAuthor(db, account_id, customer_id, { from, result: sender.result })
  const draft = draftOf(reading, author)
  switch (author.kind) {
    case 'user': {
      // An answer to a notification is for the team. What the customer got from its author is no secret.
      const { participants } = await readMailHistory(db, account_id, { id, customer_id }, { own })
      const isForCustomer = [...mail.to, ...mail.cc].some(({ address }) => participants.has(address))
      return {
        author: { kind: 'user' as const, user_id: author.user_id },
        draft: { ...draft, private: !isForCustomer },
      }
    }
    case 'unproven user':
      return { author: { kind: 'bot' as const, user_id: null }, draft: { ...draft, private: true } }
    default:
      return { author: { kind: 'customer' as const, customer_id }, draft }
  }
}
