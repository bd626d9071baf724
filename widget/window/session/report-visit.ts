import type { Claims, InboxRef } from '../calls.ts'
import { request } from '../request.ts'

/** Reports once on which page the chat was opened. Pages where it stays closed make no call. */
export function createVisitReport({ account_id, inbox_id }: InboxRef, claims: () => Claims) {
  let isReported = false
  return (isOpen: boolean) => {
    const { host, pathname } = claims()
    if (isReported || !isOpen || !host) return
    isReported = true
    const body = { account_id, inbox_id, metadata: { host, pathname } }
    void request('/api/widget_settings/metadata', { method: 'PUT', body })
  }
}
