import { listKeys, storage } from '../../../../platform/storage.ts'
import { REVISION_PREFIX } from './draft-sync.ts'
import { DRAFT_PREFIX } from './drafts.ts'

/** The id of the user whose drafts are active in this browser. */
const OWNER = 'parley.drafts-of'
const AWAY = 'parley.put-away:'

/**
 * Stores the previous user's drafts under other keys and restores those of the signed-in user. In a shared browser
 * nobody can see or send another user's drafts, and none are lost.
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

/** Removes the old key first, in case the storage is full. */
function move(from: string, to: string) {
  const value = storage.getItem(from)
  storage.removeItem(from)
  if (value !== null) storage.setItem(to, value)
}
