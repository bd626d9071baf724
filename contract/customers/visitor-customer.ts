import * as z from 'zod/mini'
import { Timestamp } from '../wire.ts'

const text = z.nullable(z.string())

/**
 * A customer as its own browsers see it. `null` and `{}` are fields of a customer that only the team sees; they are there
 * because published clients expect the keys of a customer.
 */
export const VisitorCustomer = z.object({
  id: z.string(),
  object: z.literal('customer'),
  name: text,
  email: text,
  phone: text,
  /** Also one that is only claimed: whether it belongs to somebody else is not for visitors. */
  external_id: text,
  profile_photo_url: text,
  company_id: z.null(),
  host: text,
  pathname: text,
  current_url: text,
  browser: text,
  os: text,
  metadata: z.record(z.string(), z.unknown()),
  created_at: Timestamp,
  updated_at: Timestamp,
  title: z.string(),
  nickname: z.string(),
  first_seen: z.string(),
  last_seen_at: Timestamp,
  ip: text,
  time_zone: text,
  blocked_at: z.null(),
  complained_at: z.null(),
  field_sources: z.object({}),
  claimed_external_id: z.null(),
  claimed_customer_id: z.null(),
})
export type VisitorCustomer = z.output<typeof VisitorCustomer>

/** What the reader of a shared link sees of a customer: neither location nor browsing. */
export const SharedCustomer = z.pick(VisitorCustomer, { id: true, object: true, name: true, title: true })
