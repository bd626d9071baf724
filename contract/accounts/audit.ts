import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { GivenInteger, GivenTime, Text, Timestamp } from '../wire.ts'
import { User } from './users.ts'

/** Of a change: the fields and, if short, their old and new values. */
export const AuditDetails = z.looseObject({
  fields: z.optional(z.array(z.string())),
  changes: z.optional(z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))),
})
export type AuditDetails = z.output<typeof AuditDetails>

/**
 * An entry of the audit log: changes of the account, its team, inboxes and keys, and deleted or changed conversations
 * and messages.
 */
export const AuditEntry = z.object({
  id: z.string(),
  /** What was done, such as `user.disabled`. */
  action: z.string(),
  user_id: z.nullable(z.int32()),
  user: z.nullable(User),
  /** The object: its id, and its name at that time. */
  subject_id: z.nullable(z.string()),
  subject_name: z.nullable(z.string()),
  details: AuditDetails,
  address: z.nullable(z.string()),
  created_at: Timestamp,
})
export type AuditEntry = z.output<typeof AuditEntry>

const AuditFilters = z.object({
  action: z.optional(Text(60)),
  user_id: z.optional(GivenInteger),
  from: z.optional(GivenTime),
  to: z.optional(GivenTime),
})
export type AuditFilters = z.output<typeof AuditFilters>

/** The audit log, for admins. */
export const audit = {
  list: endpoint('admin', 'GET', '/api/audit_entries', {
    summary: 'Lists the audit trail, newest first. `action` may be a prefix before the dot, such as `user`.',
    query: z.extend(AuditFilters, { after: z.optional(Text(200)) }),
    answer: z.object({ data: z.array(AuditEntry), next: z.nullable(z.string()) }),
  }),
  export: endpoint('admin', 'GET', '/api/audit_entries/export.csv', {
    media_type: 'text/csv',
    summary: 'Exports the audit trail as CSV, at most the newest 50,000 entries.',
    query: AuditFilters,
    answer: z.any(),
  }),
}
