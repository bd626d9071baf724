import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { displayName } from '#contract/customers/customers.ts'
import { ConversationsOf } from '../../features/conversations/conversations/list/ConversationsOf.tsx'
import { StartConversation } from '../../features/conversations/conversations/start/StartConversation.tsx'
import { customerQuery } from '../../features/customers/customers/queries.ts'
import { useCustomerOnline } from '../../platform/realtime/presence.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Pill } from '../../ui/Pill.tsx'
import styles from './CustomerView.module.css'

interface ViewProps {
  customer: CustomerProfile
  open: boolean
  close: () => void
}

/** A customer in a dialog: read and write messages without leaving the page. */
export function CustomerView({ customer: initial, open, close }: ViewProps) {
  const { t } = useTranslation()
  const { data: customer = initial } = useQuery({ ...customerQuery(initial.id), enabled: open })
  const online = useCustomerOnline(customer.id)
  return (
    <Dialog
      title={displayName(customer)}
      open={open}
      close={close}
      size={560}
      footer={<Link to={`/customers/${customer.id}`}>{t('customers.full_profile')}</Link>}
    >
      <div className={styles.view}>
        <p className={styles.email}>
          {customer.name && customer.email} {online && <Pill tone="success">{t('customer.online')}</Pill>}
        </p>
        <section className={styles.card} aria-label={t('customers.tabs.conversations')}>
          <div className={styles.head}>
            <h3>{t('customers.tabs.conversations')}</h3>
            <div>
              <StartConversation customer={customer} />
            </div>
          </div>
          <ConversationsOf filter={{ customer_id: customer.id }} />
        </section>
      </div>
    </Dialog>
  )
}
