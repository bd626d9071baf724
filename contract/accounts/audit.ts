import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { IntegerInput, Text, TimeInput, Timestamp } from '../wire.ts'
import { User } from './users.ts'

/** Of a change: the fields and, if short, their old and new values. */
export const AuditDetails = z.looseObject({
  fields: z.optional(z.array(z.string())).check(z.describe('Names of the changed fields.')),
  changes: z.optional(
    z.record(
      z.string(),
      z.object({
        from: z.unknown().check(z.describe('The value before.')),
        to: z.unknown().check(z.describe('The value afterwards.')),
      }),
    ),
  ),
})
export type AuditDetails = z.output<typeof AuditDetails>

/**
 * An entry of the audit log: changes of the account, its team, inboxes and keys, and deleted or changed conversations
 * and messages.
 */
export const AuditEntry = z.object({
  id: z.string(),
  action: z.string().check(z.describe('What was done, such as `user.disabled`.')),
  user_id: z.nullable(z.int32()),
  user: z.nullable(User),
  subject_id: z.nullable(z.string()).check(z.describe('The object: its id, and its name at that time.')),
  subject_name: z.nullable(z.string()).check(z.describe('Its name at that time.')),
  details: AuditDetails.check(z.describe('What changed.')),
  address: z.nullable(z.string()).check(z.describe('IP address of the request.')),
  created_at: Timestamp,
})
export type AuditEntry = z.output<typeof AuditEntry>

const AuditFilters = z.object({
  action: z.optional(Text(60)).check(z.describe('Only this kind of action, such as `user.disabled`.')),
  user_id: z.optional(IntegerInput),
  from: z.optional(TimeInput).check(z.describe('Only entries from this time on.')),
  to: z.optional(TimeInput).check(z.describe('Only entries before this time.')),
})
export type AuditFilters = z.output<typeof AuditFilters>

/** The audit log, for admins. */
export const audit = {
  list: endpoint('admin', 'GET', '/api/audit_entries', {
    summary: 'Lists the audit trail, newest first. `action` may be a prefix before the dot, such as `user`.',
    query: z.extend(AuditFilters, {
      after: z.optional(Text(200)).check(z.describe('The `next` of the page before. Leave it out for the first page.')),
    }),
    answer: z.object({
      data: z.array(AuditEntry),
      next: z.nullable(z.string()).check(z.describe('Send it as `after` for the next page; null on the last one.')),
    }),
  }),
  export: endpoint('admin', 'GET', '/api/audit_entries/export.csv', {
    media_type: 'text/csv',
    summary: 'Exports the audit trail as CSV, at most the newest 50,000 entries.',
    query: AuditFilters,
    answer: z.any(),
  }),
}
