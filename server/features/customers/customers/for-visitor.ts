import { type Customer, type CustomerClaims, customerName } from '#contract/customers/customers.ts'
import { IDENTITY_FIELDS } from './field-sources.ts'

const DEVICE = ['host', 'pathname', 'current_url', 'browser', 'os'] as const
const NOTHING = {
  name: null,
  email: null,
  phone: null,
  external_id: null,
  profile_photo_url: null,
  time_zone: null,
  company_id: null,
  ip: null,
  host: null,
  pathname: null,
  current_url: null,
  browser: null,
  os: null,
  metadata: {},
  blocked_at: null,
  complained_at: null,
  field_sources: {},
  claimed_external_id: null,
  claimed_customer_id: null,
}

/**
 * A customer as shown to a browser that holds its session: what browsers sent and a website signed. Data from the team or
 * an import is left out, and so is whether a claim matches another customer.
 */
export function customerForVisitor(customer: Customer): Customer {
  const { field_sources, metadata, claimed_external_id, ip } = customer
  const isOwn = (field: string) => field_sources[field] === undefined || field_sources[field] === 'proof'
  const fields = [...DEVICE, ...IDENTITY_FIELDS.filter(isOwn)].map((field) => [field, customer[field]])
  const keys = Object.entries(metadata).filter(([key]) => isOwn(`metadata.${key}`))
  const own = {
    ...customer,
    ...NOTHING,
    ...Object.fromEntries(fields),
    ...(claimed_external_id && { external_id: claimed_external_id }),
    metadata: Object.fromEntries(keys),
    ip,
  }
  return { ...own, title: customerName(own) }
}

/** The same for a published client that reads a chat and knows only the customer's id: name, external id and picture. */
export function customerInChat(customer: Customer): Customer {
  const { name, external_id, profile_photo_url } = customerForVisitor(customer)
  return { ...customer, ...NOTHING, name, external_id, profile_photo_url, title: customerName({ name, email: null }) }
}

/**
 * A customer as shown to a published client that knows only its id, which others may know as well: the values that this
 * call itself sent, where they were stored.
 */
export function customerForId(customer: Customer, claims: CustomerClaims = {}): Customer {
  const seen = customerForVisitor(customer)
  const fields = [...DEVICE, ...IDENTITY_FIELDS].filter((field) => claims[field] && claims[field] === seen[field])
  const keys = Object.keys(claims.metadata ?? {}).filter((key) => key in seen.metadata)
  const own = {
    ...customer,
    ...NOTHING,
    ...Object.fromEntries(fields.map((field) => [field, seen[field]])),
    metadata: Object.fromEntries(keys.map((key) => [key, seen.metadata[key]])),
  }
  return { ...own, title: customerName(own) }
}
