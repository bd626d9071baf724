import { type Customer, customerName } from '#contract/customers.ts'

/** Name with address, since two people may be called the same. */
export function fullName(customer: Pick<Customer, 'name' | 'email'>): string {
  return customer.name && customer.email ? `${customer.name} (${customer.email})` : customerName(customer)
}
