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
  external_id: text.check(
    z.describe('Also one that is only claimed: whether it belongs to somebody else is not for visitors.'),
  ),
  profile_photo_url: text,
  company_id: z.null(),
  host: text.check(z.describe('Host name of the page last visited, such as `www.example.com`.')),
  pathname: text.check(z.describe('Path of the page last visited.')),
  current_url: text.check(z.describe('URL of the page last visited.')),
  browser: text.check(z.describe('Name of the browser, such as `Firefox`.')),
  os: text.check(z.describe('Name of the operating system.')),
  metadata: z.record(z.string(), z.unknown()).check(z.describe('Any data of yours, as JSON. Parley only stores it.')),
  created_at: Timestamp,
  updated_at: Timestamp,
  title: z.string(),
  nickname: z.string().check(z.describe('Derived from the id: `Teal Otter`.')),
  first_seen: z.string().check(z.describe('Day of the first visit.')),
  last_seen_at: Timestamp.check(z.describe('Time of the last visit.')),
  ip: text.check(z.describe('Address from which the browser last connected.')),
  time_zone: text.check(z.describe('An IANA name such as `Europe/Berlin`.')),
  blocked_at: z.null(),
  complained_at: z.null(),
  field_sources: z.object({}),
  claimed_external_id: z.null(),
  claimed_customer_id: z.null(),
})
export type VisitorCustomer = z.output<typeof VisitorCustomer>

/** What the reader of a shared link sees of a customer: neither location nor browsing. */
export const SharedCustomer = z.pick(VisitorCustomer, { id: true, object: true, name: true, title: true })
