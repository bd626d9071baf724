import { type AuditDetails, audit } from '#contract/accounts/audit.ts'
import { userName } from '#contract/accounts/users.ts'
import type { Context } from '../../../context.ts'
import { csvHead, csvLine } from '../../../platform/csv.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { EXPORT_LIMIT, listAuditEvents } from './audit.ts'

const HEADINGS = ['time', 'user', 'action', 'subject', 'subject_id', 'details', 'address']

export function registerAuditRoutes(routes: Routes, { db }: Context) {
  routes.route(audit.list, ({ caller, query: { after, ...filters } }) =>
    listAuditEvents(db, caller.account_id, filters, { after }),
  )
  routes.route(audit.export, async ({ caller, query, reply }) => {
    const { data } = await listAuditEvents(db, caller.account_id, query, { limit: EXPORT_LIMIT })
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', 'attachment; filename="audit.csv"')
    const rows = data.map((entry) => [
      entry.created_at,
      entry.user ? userName(entry.user) : (entry.user_id ?? ''),
      entry.action,
      entry.subject_name ?? '',
      entry.subject_id ?? '',
      describe(entry.details),
      entry.address ?? '',
    ])
    return csvHead(HEADINGS) + rows.map(csvLine).join('')
  })
}

/** The changes, or whatever other details there are, in one cell. */
function describe({ fields = [], changes = {}, ...others }: AuditDetails): string {
  const changed = fields.map((field) => {
    const values = changes[field]
    return values ? `${field}: ${asText(values.from)} → ${asText(values.to)}` : field
  })
  const details = Object.entries(others).map(([name, value]) => `${name}: ${asText(value)}`)
  return [...changed, ...details].join('; ')
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
