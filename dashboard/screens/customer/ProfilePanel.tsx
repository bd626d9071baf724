import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { CustomerProfile } from '#contract/customer-profiles.ts'
import { CustomerTags } from '../../features/customers/CustomerTags.tsx'
import { EmailLink } from '../../features/customers/EmailLink.tsx'
import { PageLink } from '../../features/customers/PageLink.tsx'
import { dayTitle, messageTime, useAges } from '../../platform/times.ts'
import { Cut } from '../../ui/Cut.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Pill } from '../../ui/Pill.tsx'
import styles from './CustomerPage.module.css'
import { MetadataTable } from './MetadataTable.tsx'

/** What is known of a customer, part by part. */
export function ProfilePanel({ customer, online }: { customer: CustomerProfile; online: boolean }) {
  const { t } = useTranslation()
  return (
    <aside className={styles.panel} aria-label={t('customer.label')}>
      <Part title={t('customers.parts.basic')}>
        <Fact name="ID">
          <span className={styles.id}>{customer.id}</span>
        </Fact>
        <Fact name={t('customer.name')}>{customer.name && <Cut text={customer.name} lines={3} />}</Fact>
        <Fact name={t('customer.email')}>{customer.email && <EmailLink address={customer.email} />}</Fact>
        <Fact name={t('customer.phone')}>{customer.phone}</Fact>
      </Part>
      <Activity customer={customer} online={online} />
      <Part title={t('customer.device')}>
        <Fact name={t('customer.time_zone')}>{customer.time_zone?.replaceAll('_', ' ')}</Fact>
        <Fact name={t('customer.browser')}>{customer.browser}</Fact>
        <Fact name={t('customer.os')}>{customer.os}</Fact>
        <Fact name={t('customer.ip')}>{customer.ip}</Fact>
      </Part>
      <section className={styles.part} aria-label={t('customer.company')}>
        <h2>{t('customer.company')}</h2>
        {customer.company ? (
          <Link to={`/companies/${customer.company.id}`}>
            <Cut text={customer.company.name} lines={3} />
          </Link>
        ) : (
          <p className={styles.none}>{t('customer.no_company')}</p>
        )}
      </section>
      {Object.keys(customer.metadata).length > 0 && (
        <div className={styles.kept}>
          <MetadataTable metadata={customer.metadata} />
        </div>
      )}
      <div className={styles.kept}>
        <CustomerTags customer={customer} />
      </div>
    </aside>
  )
}

function Activity({ customer, online }: { customer: CustomerProfile; online: boolean }) {
  const { t } = useTranslation()
  const ago = useAges()
  return (
    <Part title={t('customers.parts.activity')}>
      <Fact name={t('customer.first_seen')}>
        <time dateTime={customer.first_seen}>{dayTitle(customer.first_seen)}</time>
      </Fact>
      <Fact name={t('customer.last_seen')}>
        {online ? (
          <Pill tone="success">{t('customer.online')}</Pill>
        ) : (
          <time dateTime={customer.last_seen_at} title={messageTime(customer.last_seen_at)}>
            {ago(customer.last_seen_at, 'long')}
          </time>
        )}
      </Fact>
      <Fact name={t('customer.page')}>{customer.current_url && <PageLink url={customer.current_url} />}</Fact>
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h2>{title}</h2>
      <dl className={styles.facts}>{children}</dl>
    </section>
  )
}
