import type { QueryClient } from '@tanstack/react-query'
import { userName } from '#contract/accounts/users.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Team } from '../../accounts/accounts/account.ts'
import { customerQuery } from '../../customers/customers/queries.ts'
import type { Values } from './variables.ts'

/** The values of variables in texts. The company is only available if the customer was loaded with it. */
export function valuesFor(client: QueryClient, { me, account }: Team, { customer }: Conversation): Values {
  const profile = client.getQueryData(customerQuery(customer.id).queryKey)
  return {
    'customer.name': customer.name,
    'customer.email': customer.email,
    'customer.company': profile?.company?.name,
    'agent.name': userName(account.users.find(({ id }) => id === me.id)),
    'account.name': account.company_name,
  }
}
