import { useEffect, useRef, useState } from 'react'
import type { Customer } from '#contract/customers.ts'

/** A page to which a customer went while somebody read along. */
export interface PageVisit {
  id: string
  url: string
  at: string
}

const LONGEST = 50

/** By customer, so that they are still there after a look at another conversation. */
const visits = new Map<string, readonly PageVisit[]>()

/** Where a customer has gone since their conversation was first opened in this tab, oldest first. */
export function usePageVisits({ id, current_url, last_seen_at }: Customer): readonly PageVisit[] {
  const [shown, show] = useState(() => visits.get(id) ?? [])
  const before = useRef(current_url)
  useEffect(() => {
    if (current_url === before.current) return
    before.current = current_url
    if (!current_url) return
    const next = [
      ...(visits.get(id) ?? []),
      { id: `${last_seen_at} ${current_url}`, url: current_url, at: last_seen_at },
    ]
    visits.set(id, next.slice(-LONGEST))
    show(visits.get(id)!)
  }, [id, current_url, last_seen_at])
  return shown
}
