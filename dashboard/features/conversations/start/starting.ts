import type { Customer } from '#contract/customers.ts'
import { type Channel, isReady } from '../../inboxes/channels.ts'

const GMAIL: Channel = { name: 'gmail', path: 'integrations/google/gmail' }
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Why no e-mail can be sent to a customer, or undefined when one can. */
export function whyNoEmail({ email }: Pick<Customer, 'email'>): 'no_gmail' | 'no_address' | undefined {
  if (!isReady(GMAIL)) return 'no_gmail'
  return email && ADDRESS.test(email) ? undefined : 'no_address'
}
