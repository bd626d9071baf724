import type { MessageDraft } from '#contract/conversations/messages.ts'
import { Unacceptable } from '../../../errors.ts'

/** A customer, or the browser of one: what a `visitor` sends is limited to what strangers may decide. */
interface CustomerAuthor {
  kind: 'customer' | 'visitor'
  customer_id: string
}

interface TeamAuthor {
  kind: 'user' | 'bot'
  user_id: number | null
}

/** The author of a message. A bot writes in the name of a user, or of nobody. */
export type Author = CustomerAuthor | TeamAuthor

/** Whether a message is the customer's, whoever sends it. */
export function isCustomer(author: Author): author is CustomerAuthor {
  return author.kind === 'customer' || author.kind === 'visitor'
}

/** The author for an API client: with `customer_id` it writes for a customer, otherwise for its own user. */
export function chooseAuthor(
  user_id: number,
  customer_id: string | null | undefined,
  type: MessageDraft['type'],
): Author {
  if (!customer_id) return { kind: type === 'bot' ? 'bot' : 'user', user_id }
  if (type === 'note' || type === 'bot') {
    throw new Unacceptable('A message should not have both a `user_id` and `customer_id`')
  }
  return { kind: 'customer', customer_id }
}
