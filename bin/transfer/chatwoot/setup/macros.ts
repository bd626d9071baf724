import { toActs } from './actions.ts'
import { textOf } from './lists.ts'
import { type MovedAccount, NoEqual, type StagedRow } from './moved-account.ts'

const MAX_NAME = 100
const MAX_CONTENT = 20_000
/** Everybody in the team runs these; all others belong to who made them. */
const SHARED = 1

/**
 * A macro. The texts that it sends wait in the composer here, so that somebody reads them, with their places to fill in,
 * before a customer does.
 * @throws NoEqual
 */
export function macroOf(moved: MovedAccount, row: StagedRow) {
  const { actions, messages } = toActs(moved, row.actions)
  const content = messages.filter(Boolean).join('\n\n')
  if (content.length > MAX_CONTENT) throw new NoEqual('sends a text that is too long')
  if (!content && actions.length === 0) throw new NoEqual('does nothing')
  const name = textOf(row.name).slice(0, MAX_NAME) || 'Macro'
  return { name, user_id: row.visibility === SHARED ? null : ownerOf(moved, row.created_by_id), content, actions }
}

/** Whose it is. @throws NoEqual if they are no member here */
export function ownerOf({ users }: MovedAccount, number: unknown): number {
  const id = users.get(String(number))
  if (id === undefined) throw new NoEqual('belongs to one person, who is no member here')
  return id
}
