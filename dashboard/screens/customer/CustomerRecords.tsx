import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { DirectoryLinks } from '../../features/connections/directory-links/DirectoryLinks.tsx'
import { NotesSection } from '../../features/customers/customer-notes/NotesSection.tsx'
import { CustomerAttributes } from '../../features/customers/customers/CustomerAttributes.tsx'
import { CustomerTags } from '../../features/customers/customers/CustomerTags.tsx'
import { IssuesSection } from '../../features/customers/issues/IssuesSection.tsx'
import { ViewLive } from '../../features/widget/live-sessions/ViewLive.tsx'
import { storage } from '../../platform/storage.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import styles from './CustomerDetails.module.css'

const TABS = ['notes', 'issues'] as const
type Tab = (typeof TABS)[number]

/** The storage key of the tab viewed last. */
const KEY = 'customer-records'

/** Tags, notes and issues of a customer. */
export function CustomerRecords({ customer }: { customer: CustomerProfile }) {
  const { t } = useTranslation()
  const [tab, setTab] = useState<Tab>(() => TABS.find((name) => name === storage.getItem(KEY)) ?? 'notes')
  const { id, notes = [], issues = [] } = customer
  const counts = { notes: notes.length, issues: issues.length }
  function choose(next: Tab) {
    storage.setItem(KEY, next)
    setTab(next)
  }
  return (
    <div className={styles.records}>
      <ViewLive customer_id={id} />
      <DirectoryLinks customer={customer} />
      <CustomerTags customer={customer} />
      <CustomerAttributes customer={customer} />
      <Tabs
        label={t('customers.tabs.label')}
        tabs={TABS.map((name) => ({ name, title: t(`customers.tabs.${name}`), count: counts[name] }))}
        current={tab}
        choose={choose}
      >
        {tab === 'notes' ? (
          <NotesSection key={id} customer_id={id} notes={notes} />
        ) : (
          <IssuesSection key={id} customer_id={id} issues={issues} />
        )}
      </Tabs>
    </div>
  )
}
