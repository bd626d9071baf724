import { infiniteQueryOptions } from '@tanstack/react-query'
import { audit } from '#contract/accounts/audit.ts'
import { call } from '../../../platform/http/api.ts'
import { download } from '../../../platform/http/download.ts'

export interface AuditFilters {
  action?: string | undefined
  user_id?: number | undefined
}

/** Audit entries, latest first, in pages. */
export function auditQuery(filters: AuditFilters) {
  return infiniteQueryOptions({
    queryKey: ['audit', filters] as const,
    queryFn: ({ pageParam, signal }) => call(audit.list, { query: { ...filters, after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchOnMount: 'always',
  })
}

/** Downloads all entries as a CSV file. */
export function downloadAudit(filters: AuditFilters): Promise<void> {
  return download(audit.export, filters, 'audit.csv')
}
