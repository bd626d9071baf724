import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { DirectoryLinks } from '../../features/connections/directory-links/DirectoryLinks.tsx'
import { CustomerAttributes } from '../../features/customers/customers/CustomerAttributes.tsx'
import { CustomerTags } from '../../features/customers/customers/CustomerTags.tsx'
import { EmailLink } from '../../features/customers/customers/EmailLink.tsx'
import { PageLink } from '../../features/customers/customers/PageLink.tsx'
import { ViewLive } from '../../features/widget/live-sessions/ViewLive.tsx'
import { dayTitle, messageTime, useAges } from '../../platform/times.ts'
import { Definition } from '../../ui/Definition.tsx'
import { Parts } from '../../ui/PartBoundary.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Truncate } from '../../ui/Truncate.tsx'
import styles from './CustomerPage.module.css'
import { CustomerValues } from './CustomerValues.tsx'

/** The customer's details in sections. */
export function ProfilePanel({ customer, online }: { customer: CustomerProfile; online: boolean }) {
  const { t } = useTranslation()
  return (
    <aside className={styles.panel} aria-label={t('customer.label')}>
      <Parts name="customer" shows={customer}>
        <Part title={t('customers.parts.basic')}>
          <Definition name="ID">
            <span className={styles.id}>{customer.id}</span>
          </Definition>
          <Definition name={t('customer.name')}>
            {customer.name && <Truncate text={customer.name} lines={3} />}
          </Definition>
          <Definition name={t('customer.email')}>{customer.email && <EmailLink address={customer.email} />}</Definition>
          <Definition name={t('customer.phone')}>{customer.phone}</Definition>
        </Part>
        <Activity customer={customer} online={online} />
        <ViewLive customer_id={customer.id} />
        <Part title={t('customer.device')}>
          <Definition name={t('customer.time_zone')}>{customer.time_zone?.replaceAll('_', ' ')}</Definition>
          <Definition name={t('customer.browser')}>{customer.browser}</Definition>
          <Definition name={t('customer.os')}>{customer.os}</Definition>
          <Definition name={t('customer.ip')}>{customer.ip}</Definition>
        </Part>
        <section className={styles.part} aria-label={t('customer.company')}>
          <h2>{t('customer.company')}</h2>
          {customer.company ? (
            <Link to={`/companies/${customer.company.id}`}>
              <Truncate text={customer.company.name} lines={3} />
            </Link>
          ) : (
            <p className={styles.none}>{t('customer.no_company')}</p>
          )}
        </section>
        <div className={styles.sections}>
          <CustomerAttributes customer={customer} />
        </div>
        {Object.keys(customer.metadata).length > 0 && (
          <div className={styles.sections}>
            <CustomerValues metadata={customer.metadata} />
          </div>
        )}
        <div className={styles.sections}>
          <DirectoryLinks customer={customer} />
        </div>
        <div className={styles.sections}>
          <CustomerTags customer={customer} />
        </div>
      </Parts>
    </aside>
  )
}

function Activity({ customer, online }: { customer: CustomerProfile; online: boolean }) {
  const { t } = useTranslation()
  const ago = useAges()
  return (
    <Part title={t('customers.parts.activity')}>
      <Definition name={t('customer.first_seen')}>
        <time dateTime={customer.first_seen}>{dayTitle(customer.first_seen)}</time>
      </Definition>
      <Definition name={t('customer.last_seen')}>
        {online ? (
          <Pill tone="success">{t('customer.online')}</Pill>
        ) : (
          <time dateTime={customer.last_seen_at} title={messageTime(customer.last_seen_at)}>
            {ago(customer.last_seen_at, 'long')}
          </time>
        )}
      </Definition>
      <Definition name={t('customer.page')}>
        {customer.current_url && <PageLink url={customer.current_url} />}
      </Definition>
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
