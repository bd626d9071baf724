import type { CustomerProfile } from '#contract/customer-profiles.ts'
import { NotesSection } from '../customer-notes/NotesSection.tsx'
import { IssuesSection } from '../issues/IssuesSection.tsx'
import styles from './CustomerDetails.module.css'
import { CustomerTags } from './CustomerTags.tsx'

/** What the team keeps of a customer: tags, notes, issues. */
export function CustomerRecords({ customer }: { customer: CustomerProfile }) {
  const { id } = customer
  return (
    <div className={styles.records}>
      <CustomerTags customer={customer} />
      <NotesSection key={`notes of ${id}`} customer_id={id} notes={customer.notes ?? []} />
      <IssuesSection key={`issues of ${id}`} customer_id={id} issues={customer.issues ?? []} />
    </div>
  )
}
