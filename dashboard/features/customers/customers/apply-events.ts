import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import type { Issue } from '#contract/customers/issues.ts'
import type { ClientEvent } from '#contract/events.ts'
import { withTag } from '../tags/apply-events.ts'

/** Applies an event to a customer. Returns the same object if it is about something else. */
export function applyToCustomer(customer: CustomerProfile, event: ClientEvent): CustomerProfile {
  switch (event.event) {
    case 'customer:updated':
      return event.payload.id === customer.id ? { ...customer, ...event.payload } : customer
    case 'customer:tagged':
      return event.payload.id === customer.id ? { ...customer, tags: event.payload.tags } : customer
    case 'company:updated':
      return event.payload.id === customer.company_id ? { ...customer, company: event.payload } : customer
    case 'tag:updated':
    case 'tag:deleted':
      return withTag(customer, event)
    case 'note:created':
    case 'note:updated':
    case 'note:deleted':
      return event.payload.customer_id === customer.id ? withNote(customer, event) : customer
    case 'issue:linked':
      return event.payload.customer_id === customer.id ? withIssue(customer, event.payload.issue) : customer
    case 'issue:unlinked':
      return event.payload.customer_id === customer.id ? withoutIssue(customer, event.payload.issue.id) : customer
    case 'issue:updated':
      return customer.issues?.some(({ id }) => id === event.payload.id) ? withIssue(customer, event.payload) : customer
    case 'issue:deleted':
      return withoutIssue(customer, event.payload.id)
    default:
      return customer
  }
}

/** Whether the shown company is no longer the customer's. Its name must then be fetched. */
export function hasWrongCompany({ company_id, company }: CustomerProfile): boolean {
  return company !== undefined && (company?.id ?? null) !== company_id
}

type Received<Name extends string> = Extract<ClientEvent, { event: Name }>

/** Inserts a note in order, newest first. */
function withNote(
  customer: CustomerProfile,
  { event, payload }: Received<'note:created' | 'note:updated' | 'note:deleted'>,
): CustomerProfile {
  const { notes } = customer
  if (!notes) return customer
  const others = notes.filter(({ id }) => id !== payload.id)
  if (event === 'note:deleted') return others.length === notes.length ? customer : { ...customer, notes: others }
  const next = [...others, payload].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
  return { ...customer, notes: next }
}

/** A known issue keeps its place, so that nothing moves under the pointer; the later state wins. */
function withIssue(customer: CustomerProfile, issue: Issue): CustomerProfile {
  const { issues } = customer
  if (!issues) return customer
  const existing = issues.find(({ id }) => id === issue.id)
  if (existing && Date.parse(existing.updated_at) > Date.parse(issue.updated_at)) return customer
  if (existing) return { ...customer, issues: issues.map((item) => (item === existing ? issue : item)) }
  return { ...customer, issues: [issue, ...issues] }
}

function withoutIssue(customer: CustomerProfile, issue_id: string): CustomerProfile {
  const issues = customer.issues?.filter(({ id }) => id !== issue_id)
  return issues?.length === customer.issues?.length ? customer : { ...customer, issues }
}
