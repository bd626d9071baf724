import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../ui/Button.tsx'
import { sessionsOfCustomerQuery, useMayWatch } from './queries.ts'

/** Links to the customer's live session, if there is one and the user may watch. */
export function ViewLive({ customer_id }: { customer_id: string }) {
  return useMayWatch() ? <SessionQuery customer_id={customer_id} /> : null
}

function SessionQuery({ customer_id }: { customer_id: string }) {
  const { t } = useTranslation()
  const { data } = useQuery(sessionsOfCustomerQuery(customer_id))
  const [session] = data ?? []
  if (!session) return null
  return (
    <div>
      <ButtonLink size="small" to={`/sessions/live/${session.id}`}>
        {t('customer.view_live')}
      </ButtonLink>
    </div>
  )
}
