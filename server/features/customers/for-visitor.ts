import { type Customer, type CustomerClaims, customerName } from '#contract/customers.ts'
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
  field_sources: {},
  claimed_external_id: null,
  claimed_customer_id: null,
}

/**
 * A customer as a browser that holds its session may read it: what browsers have told and a website has signed. What the
 * team or an import wrote down is theirs, and whether a claim met somebody is not for the one who makes it to know.
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

/** The same for a published client that reads a chat: it needs somebody beside it, and knows no more than an id. */
export function customerInChat(customer: Customer): Customer {
  const { name, external_id, profile_photo_url } = customerForVisitor(customer)
  return { ...customer, ...NOTHING, name, external_id, profile_photo_url, title: customerName({ name, email: null }) }
}

/**
 * A customer as a published client may read it that knows no more than its id, which others may know as well: what this
 * very call has told of it, as far as it counts.
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
