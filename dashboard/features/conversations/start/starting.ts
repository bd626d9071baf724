import type { Customer } from '#contract/customers.ts'
import { canMail } from '../../../platform/environment.ts'

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Why no e-mail can be sent to a customer, or undefined when one can. */
export function whyNoEmail({ email }: Pick<Customer, 'email'>): 'no_way_out' | 'no_address' | undefined {
  if (!canMail()) return 'no_way_out'
  return email && ADDRESS.test(email) ? undefined : 'no_address'
}
