import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Conversation } from '#contract/conversations.ts'
import type { CustomerProfile } from '#contract/customer-profiles.ts'
import { customerName } from '#contract/customers.ts'
import { EmailLink } from '../../features/customers/EmailLink.tsx'
import { PageLink } from '../../features/customers/PageLink.tsx'
import { customerQuery } from '../../features/customers/queries.ts'
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx'
import { useCustomerOnline } from '../../platform/realtime/presence.ts'
import { dayTitle, messageTime, useAges } from '../../platform/times.ts'
import { useDialog } from '../../platform/useDialog.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Fold } from '../../ui/Fold.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { LazyMount } from '../../ui/LazyMount.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Truncate } from '../../ui/Truncate.tsx'
import styles from './CustomerDetails.module.css'
import { MetadataTable } from './MetadataTable.tsx'

const CustomerDialog = lazyComponent(
  async () => (await import('../../features/customers/editing/CustomerDialog.tsx')).CustomerDialog,
)
const ClaimNotice = lazyComponent(
  async () => (await import('../../features/customers/merging/ClaimNotice.tsx')).ClaimNotice,
)
const CustomerRecords = lazyComponent(async () => (await import('./CustomerRecords.tsx')).CustomerRecords)

interface DetailsProps {
  conversation: Conversation
  hide: () => void
  /** What stands below: the conversation's own details. */
  children?: ReactNode
}

/** What is known of the customer, beside their conversation. */
export function CustomerDetails({ conversation, hide, children }: DetailsProps) {
  const { t } = useTranslation()
  const { data: customer } = useQuery({
    ...customerQuery(conversation.customer_id),
    placeholderData: conversation.customer,
  })
  const shown: CustomerProfile = customer ?? conversation.customer
  return (
    <aside className={styles.panel} aria-label={t('customer.label')}>
      <div className={styles.hide}>
        <IconButton icon="close" label={t('close')} onClick={hide} />
      </div>
      <Head customer={shown} />
      <LazyMount wanted={shown.claimed_customer_id !== null}>
        <ClaimNotice customer={shown} />
      </LazyMount>
      <Facts customer={shown} />
      <Suspense fallback={<div className={styles.waiting} />}>
        <CustomerRecords customer={shown} />
      </Suspense>
      <Device customer={shown} />
      <MetadataTable metadata={shown.metadata} />
      {children}
    </aside>
  )
}

function Head({ customer }: { customer: CustomerProfile }) {
  const { t } = useTranslation()
  const editing = useDialog()
  const online = useCustomerOnline(customer.id)
  const name = customerName(customer)
  return (
    <div className={styles.head}>
      <Avatar
        id={customer.id}
        name={name}
        photo={customer.profile_photo_url}
        size={56}
        online={online}
        anonymous={!customer.name && !customer.email}
      />
      <h2 className={styles.name}>
        <Truncate text={name} lines={3} />
      </h2>
      {customer.email && (
        <span className={styles.email}>
          <EmailLink address={customer.email} />
        </span>
      )}
      <div className={styles.states}>
        {online && <Pill tone="success">{t('customer.online')}</Pill>}
        {customer.blocked_at && <Pill tone="danger">{t('customer.blocked')}</Pill>}
      </div>
      <button type="button" className={styles.edit} onClick={() => editing.open()}>
        <Icon name="edit" size={16} />
        {t('customer.edit')}
      </button>
      <Link to={`/customers/${customer.id}`} className={styles.edit}>
        {t('customers.full_profile')}
      </Link>
      <LazyMount wanted={editing.isOpen}>
        <CustomerDialog
          key={`${customer.id} ${editing.turn}`}
          customer={customer}
          open={editing.isOpen}
          close={editing.close}
        />
      </LazyMount>
    </div>
  )
}

function Facts({ customer }: { customer: CustomerProfile }) {
  const { t } = useTranslation()
  const ago = useAges()
  const online = useCustomerOnline(customer.id)
  return (
    <dl className={styles.facts}>
      {customer.phone && <Definition name={t('customer.phone')}>{customer.phone}</Definition>}
      {customer.company && (
        <Definition name={t('customer.company')}>
          <Link to={`/companies/${customer.company.id}`}>
            <Truncate text={customer.company.name} lines={3} />
          </Link>
        </Definition>
      )}
      {!online && (
        <Definition name={t('customer.last_seen')}>
          <time dateTime={customer.last_seen_at} title={messageTime(customer.last_seen_at)}>
            {ago(customer.last_seen_at, 'long')}
          </time>
        </Definition>
      )}
      <Definition name={t('customer.first_seen')}>
        <time dateTime={customer.first_seen}>{dayTitle(customer.first_seen)}</time>
      </Definition>
      <Definition name={t('customer.page')}>
        {customer.current_url && <PageLink url={customer.current_url} />}
      </Definition>
    </dl>
  )
}

function Device({ customer }: { customer: CustomerProfile }) {
  const { t } = useTranslation()
  return (
    <div className={styles.device}>
      <Fold name="device" title={t('customer.device')}>
        <dl className={styles.pairs}>
          <Definition name={t('customer.browser')}>{customer.browser}</Definition>
          <Definition name={t('customer.os')}>{customer.os}</Definition>
          <Definition name={t('customer.time_zone')}>{customer.time_zone?.replaceAll('_', ' ')}</Definition>
          <Definition name={t('customer.ip')}>{customer.ip}</Definition>
        </dl>
      </Fold>
    </div>
  )
}
