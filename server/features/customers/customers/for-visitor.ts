import type { Customer, CustomerClaims } from '#contract/customers/customers.ts'
import { VisitorCustomer } from '#contract/customers/visitor-customer.ts'
import { pick } from '../../../pick.ts'
import { columnsWhere } from './columns.ts'
import { titleOf } from './customers.ts'

/** What browsers and signed tokens say of a customer, besides metadata. */
const FIELDS = columnsWhere('visitor', 'own').filter((field) => field !== 'metadata')

/** The values of `FIELDS` that somebody may see; the others are null. */
type Shown = Pick<VisitorCustomer, (typeof FIELDS)[number] | 'metadata' | 'ip'>

/**
 * A customer as shown to a browser that holds its session: what browsers sent and a website signed. Data from the team or
 * an import is left out, and so is whether a claim matches another customer.
 * @param hidden keys of attributes that are for the team only
 */
export function customerForVisitor(customer: Customer, hidden: ReadonlySet<string>): VisitorCustomer {
  return show(customer, ownFields(customer, hidden))
}

/** The same for a published client that reads a chat and knows only the customer's id: name, external id and picture. */
export function customerInChat(customer: Customer): VisitorCustomer {
  const { name, external_id, profile_photo_url } = ownFields(customer, new Set())
  return show(customer, { ...fieldsBy(() => null), ip: null, metadata: {}, name, external_id, profile_photo_url })
}

/**
 * A customer as shown to a published client that knows only its id, which others may know as well: the values that this
 * call itself sent, where they were stored.
 * @param hidden keys of attributes that are for the team only
 */
export function customerForId(
  customer: Customer,
  claims: CustomerClaims,
  hidden: ReadonlySet<string>,
): VisitorCustomer {
  const own = ownFields(customer, hidden)
  const keys = Object.keys(claims.metadata ?? {}).filter((key) => key in own.metadata)
  return show(customer, {
    ...fieldsBy((field) => (claims[field] && claims[field] === own[field] ? own[field] : null)),
    ip: null,
    metadata: Object.fromEntries(keys.map((key) => [key, own.metadata[key]])),
  })
}

function show(customer: Customer, shown: Shown): VisitorCustomer {
  const title = titleOf(shown)
  return pick(VisitorCustomer, { ...customer, ...shown, title })
}

function ownFields(customer: Customer, hidden: ReadonlySet<string>): Shown {
  const { field_sources, metadata, claimed_external_id, ip } = customer
  const isOwn = (field: string) => field_sources[field] === undefined || field_sources[field] === 'proof'
  const fields = fieldsBy((field) => (isOwn(field) ? customer[field] : null))
  const keys = Object.entries(metadata).filter(([key]) => isOwn(`metadata.${key}`) && !hidden.has(key))
  return { ...fields, external_id: claimed_external_id ?? fields.external_id, metadata: Object.fromEntries(keys), ip }
}

function fieldsBy(read: (field: (typeof FIELDS)[number]) => string | null) {
  return Object.fromEntries(FIELDS.map((field) => [field, read(field)])) as Record<
    (typeof FIELDS)[number],
    string | null
  >
}
