import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { displayName } from '#contract/customers/customers.ts'
import { Anonymous } from '../../features/customers/customers/Anonymous.tsx'
import { CustomerAvatar } from '../../features/customers/customers/CustomerAvatar.tsx'
import { EmailLink } from '../../features/customers/customers/EmailLink.tsx'
import { PageLink } from '../../features/customers/customers/PageLink.tsx'
import { customerQuery } from '../../features/customers/customers/queries.ts'
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx'
import { useCustomerOnline } from '../../platform/realtime/presence.ts'
import { messageTime, shortDate, useAges } from '../../platform/times.ts'
import { useDialog } from '../../platform/useDialog.ts'
import { Definition } from '../../ui/Definition.tsx'
import { Fold } from '../../ui/Fold.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { LazyMount } from '../../ui/LazyMount.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Parts } from '../../ui/PartBoundary.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Truncate } from '../../ui/Truncate.tsx'
import styles from './CustomerDetails.module.css'
import { CustomerValues } from './CustomerValues.tsx'

const CustomerDialog = lazyComponent(
  async () => (await import('../../features/customers/customers/editing/CustomerDialog.tsx')).CustomerDialog,
)
const ClaimNotice = lazyComponent(
  async () => (await import('../../features/customers/customers/merging/ClaimNotice.tsx')).ClaimNotice,
)
const CustomerRecords = lazyComponent(async () => (await import('./CustomerRecords.tsx')).CustomerRecords)

interface DetailsProps {
  conversation: Conversation
  hide: () => void
  /** The conversation's own details, shown below. */
  children?: ReactNode
}

/** The customer's details beside a conversation. */
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
      <Parts name="customer" shows={shown}>
        <Head customer={shown} />
        <LazyMount when={shown.claimed_customer_id !== null}>
          <ClaimNotice customer={shown} />
        </LazyMount>
        <Facts customer={shown} />
        <Suspense fallback={<div className={styles.waiting} />}>
          <CustomerRecords customer={shown} />
        </Suspense>
        {children}
        <CustomerValues metadata={shown.metadata} />
        <Device customer={shown} />
      </Parts>
    </aside>
  )
}

function Head({ customer }: { customer: CustomerProfile }) {
  const { t } = useTranslation()
  const editing = useDialog()
  const navigate = useNavigate()
  const online = useCustomerOnline(customer.id)
  const name = displayName(customer)
  return (
    <div className={styles.head}>
      <CustomerAvatar customer={customer} size={44} online={online} />
      <div className={styles.who}>
        <h2 className={styles.name}>
          <Truncate text={name} lines={3} />
        </h2>
        <Anonymous customer={customer} />
      </div>
      <Menu
        items={[
          { key: 'edit', label: t('customer.edit'), onClick: () => editing.open() },
          { key: 'profile', label: t('customers.full_profile'), onClick: () => navigate(`/customers/${customer.id}`) },
        ]}
      >
        {(trigger) => <IconButton {...trigger} icon="more" label={t('customers.menu')} />}
      </Menu>
      {customer.name && customer.email && (
        <span className={styles.email}>
          <EmailLink address={customer.email} />
        </span>
      )}
      <div className={styles.states}>
        {online && <Pill tone="success">{t('customer.online')}</Pill>}
        {customer.blocked_at && <Pill tone="danger">{t('customer.blocked')}</Pill>}
      </div>
      <LazyMount when={editing.isOpen}>
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
        <time dateTime={customer.first_seen}>{shortDate(customer.first_seen)}</time>
      </Definition>
      <Definition name={t('customer.page')}>
        {customer.current_url && <PageLink url={customer.current_url} />}
      </Definition>
    </dl>
  )
}

function Device({ customer }: { customer: CustomerProfile }) {
  const { t } = useTranslation()
  if (!customer.browser && !customer.os && !customer.time_zone && !customer.ip) return null
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
