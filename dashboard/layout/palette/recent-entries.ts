import { storage } from '../../platform/storage.ts'

const KEY = 'parley:recent-actions'
const MAX_ENTRIES = 6

/** The ids of recently chosen entries, latest first. */
export function readRecent(): string[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function storeRecent(id: string) {
  const recent = [id, ...readRecent().filter((other) => other !== id)].slice(0, MAX_ENTRIES)
  storage.setItem(KEY, JSON.stringify(recent))
}
