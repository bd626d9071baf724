import { type Customer, displayName } from '#contract/customers/customers.ts'

/** Name and email, because two customers may have the same name. */
export function fullName(customer: Pick<Customer, 'name' | 'email' | 'phone' | 'nickname'>): string {
  return customer.name && customer.email ? `${customer.name} (${customer.email})` : displayName(customer)
}
