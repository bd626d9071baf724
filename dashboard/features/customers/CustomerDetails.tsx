import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations.ts'
import { type Customer, customerName, customers } from '#contract/customers.ts'
import { call } from '../../api.ts'
import { useCustomerOnline } from '../../presence.ts'
import { dayTitle, messageTime, useAges } from '../../times.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Pill } from '../../ui/Pill.tsx'
import styles from './CustomerDetails.module.css'
import { MetadataTable } from './MetadataTable.tsx'

const FRESH_MS = 60_000

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
    queryKey: ['customers', 'one', conversation.customer_id],
    queryFn: async ({ signal }) =>
      (await call(customers.get, { params: { id: conversation.customer_id }, signal })).data,
    placeholderData: conversation.customer,
    staleTime: FRESH_MS,
  })
  const shown = customer ?? conversation.customer
  return (
    <aside className={styles.panel} aria-label={t('customer.label')}>
      <div className={styles.hide}>
        <IconButton icon="close" label={t('close')} onClick={hide} />
      </div>
      <Head customer={shown} />
      <Facts customer={shown} />
      <MetadataTable metadata={shown.metadata} />
      {children}
    </aside>
  )
}

function Head({ customer }: { customer: Customer }) {
  const { t } = useTranslation()
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
      <h2 className={styles.name}>{name}</h2>
      {customer.email && (
        <a className={styles.email} href={`mailto:${customer.email}`}>
          <Email address={customer.email} />
        </a>
      )}
      {online && <Pill tone="success">{t('customer.online')}</Pill>}
    </div>
  )
}

function Facts({ customer }: { customer: Customer }) {
  const { t } = useTranslation()
  const ago = useAges()
  return (
    <dl className={styles.facts}>
      {customer.phone && <Fact name={t('customer.phone')}>{customer.phone}</Fact>}
      <Fact name={t('customer.last_seen')}>
        <time dateTime={customer.last_seen_at} title={messageTime(customer.last_seen_at)}>
          {ago(customer.last_seen_at, 'long')}
        </time>
      </Fact>
      <Fact name={t('customer.first_seen')}>
        <time dateTime={customer.first_seen}>{dayTitle(customer.first_seen)}</time>
      </Fact>
      <Fact name={t('customer.page')}>{customer.current_url && <Page url={customer.current_url} />}</Fact>
      <Fact name={t('customer.browser')}>{customer.browser}</Fact>
      <Fact name={t('customer.os')}>{customer.os}</Fact>
      <Fact name={t('customer.time_zone')}>{customer.time_zone?.replaceAll('_', ' ')}</Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children || <span className={styles.unknown}>–</span>}</dd>
    </div>
  )
}

/** Too long for the panel, it breaks behind the @ first. */
function Email({ address }: { address: string }) {
  const at = address.indexOf('@') + 1
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  )
}

/** The address comes from a stranger's browser, so only web addresses become links. */
function Page({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return url
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow" title={url}>
      {url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')}
    </a>
  )
}
