import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { User } from './users.ts'
import { GivenInteger, GivenTime, Text, Timestamp } from './wire.ts'

/** Of a change: which fields, and where these are short, what they were and what they became. */
export const AuditDetails = z.looseObject({
  fields: z.optional(z.array(z.string())),
  changes: z.optional(z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))),
})
export type AuditDetails = z.output<typeof AuditDetails>

/** Who did what to the account, its team, inboxes, keys, and to conversations and messages that were deleted or changed. */
export const AuditEntry = z.object({
  id: z.string(),
  /** What was done, such as `user.disabled`. */
  action: z.string(),
  user_id: z.nullable(z.int()),
  user: z.nullable(User),
  /** To what: an id, and how it was called when it happened. */
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

/** The audit trail: who changed what, for admins. */
export const audit = {
  list: endpoint('admin', 'GET', '/api/audit_entries', {
    summary: 'Who did what, newest first. `action` may be the part before the point alone, such as `user`.',
    query: z.extend(AuditFilters, { after: z.optional(Text(200)) }),
    answer: z.object({ data: z.array(AuditEntry), next: z.nullable(z.string()) }),
  }),
  export: endpoint('admin', 'GET', '/api/audit_entries/export.csv', {
    summary: 'The same as a table for spreadsheets, at most the newest 50,000.',
    query: AuditFilters,
    answer: z.any(),
  }),
}
