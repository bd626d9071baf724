import { displayName } from '#contract/customers/customers.ts'
import { nicknameOf } from '#contract/customers/nickname.ts'
import type { VisitedSession } from '#contract/widget/live-sessions.ts'

/** What a visitor is called. Those who are no customers yet have names, too, so that their sessions can be told apart. */
export function visitorName({ id, customer }: Pick<VisitedSession, 'id' | 'customer'>): string {
  return customer ? displayName(customer) : nicknameOf(id)
}
