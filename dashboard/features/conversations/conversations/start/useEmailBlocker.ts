import { useQuery } from '@tanstack/react-query'
import { MAILBOXES } from '#contract/connections/kinds.ts'
import type { Customer } from '#contract/customers/customers.ts'
import { canMail } from '../../../../platform/environment.ts'
import { useTeam } from '../../../accounts/accounts/account.ts'
import { integrationsQuery } from '../../../connections/authorizations/queries.ts'
import { inboxesQuery } from '../../../widget/inboxes/queries.ts'

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/**
 * Why no email can be sent to a customer from an inbox (the primary one by default), or undefined if one can: by the
 * installation's mail server, the inbox's mailbox, or the sender's own.
 */
export function useEmailBlocker(
  { email }: Pick<Customer, 'email'>,
  inbox_id: string | undefined,
): 'no_way_out' | 'no_address' | undefined {
  const { me } = useTeam()
  const { data: connected } = useQuery({ ...integrationsQuery, enabled: !canMail() })
  const { data: inboxes } = useQuery(inboxesQuery)
  const inbox = inbox_id ?? inboxes?.find(({ is_primary }) => is_primary)?.id
  const hasMailbox = connected?.data.some(
    ({ integration, inbox_id: own, user_id }) =>
      MAILBOXES.includes(integration) && (own === null ? user_id === me.id : own === inbox),
  )
  if (!canMail() && !hasMailbox) return 'no_way_out'
  return email && ADDRESS.test(email) ? undefined : 'no_address'
}
