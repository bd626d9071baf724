import { listKeys, storage } from '../../../platform/storage.ts'
import { REVISION_PREFIX } from './draft-sync.ts'
import { DRAFT_PREFIX } from './drafts.ts'

/** Whose drafts lie open in this browser. */
const OWNER = 'parley.drafts-of'
const AWAY = 'parley.put-away:'

/**
 * Puts the drafts of whoever wrote in this browser before out of sight, and lays out those of whoever is signed in now.
 * Several people may use one browser: none of them reads, keeps or sends what another has begun, and nobody loses it.
 */
export function switchDraftOwner(user_id: number) {
  const owner = storage.getItem(OWNER)
  if (owner === String(user_id)) return
  if (owner !== null) {
    for (const key of listKeys(storage, DRAFT_PREFIX, REVISION_PREFIX)) move(key, `${AWAY}${owner}:${key}`)
  }
  const mine = `${AWAY}${user_id}:`
  for (const key of listKeys(storage, mine)) move(key, key.slice(mine.length))
  storage.setItem(OWNER, String(user_id))
}

/** Away first, so that a full storage has room for it again. */
function move(from: string, to: string) {
  const value = storage.getItem(from)
  storage.removeItem(from)
  if (value !== null) storage.setItem(to, value)
}
