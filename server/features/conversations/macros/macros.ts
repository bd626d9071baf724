import type { Macro, MacroChanges, MacroDraft, MacroState } from '#contract/conversations/macros.ts'
import type { Context } from '../../../context.ts'
import { Forbidden, NotFound, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { type Change, type Db, fieldChanges, rethrowDuplicate } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import { recordAudit, recordChanges } from '../../accounts/audit/audit.ts'
import { getConversationRow } from '../conversations/conversations.ts'
import { isActionNeeded, readActionState, runAction } from '../rules/actions.ts'
import { missingTargets } from '../rules/targets.ts'

const columns = ['id', 'name', 'user_id', 'content', 'actions', 'created_at', 'updated_at'] as const
type MacroRow = Omit<Macro, 'object' | 'is_personal'> & { user_id: number | null }

function presentMacro({ user_id, ...row }: MacroRow): Macro {
  return { ...row, object: 'macro', is_personal: user_id !== null }
}

/** Shared macros and those of the caller: the others do not exist for them. */
function selectMacros(db: Db, { account_id, user_id }: User) {
  return ofAccount(db, account_id)
    .selectFrom('macros')
    .select(columns)
    .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '=', user_id)]))
    .$castTo<MacroRow>()
}

/** The macros that the caller may run, by name. */
export async function listMacros(db: Db, caller: User): Promise<Macro[]> {
  const rows = await selectMacros(db, caller).orderBy('name').orderBy('id').execute()
  return rows.map(presentMacro)
}

/** @throws Forbidden if the caller may not share macros, Unacceptable if it would do nothing or names what was deleted */
export async function createMacro(tx: Change, caller: User, { is_personal, ...draft }: MacroDraft): Promise<Macro> {
  const { account_id, user_id } = caller
  assertMayChange(caller, { user_id: is_personal ? user_id : null })
  await assertValid(tx.db, account_id, draft)
  const row = await tx.db
    .insertInto('macros')
    .values({
      ...{ account_id, id: newId(), user_id: is_personal ? user_id : null },
      ...draft,
      actions: toJson(draft.actions),
    })
    .returning(columns)
    .$castTo<MacroRow>()
    .executeTakeFirstOrThrow()
    .catch(rethrowDuplicate('name'))
  if (!is_personal)
    await recordAudit(tx, caller, { action: 'macro.created', subject_id: row.id, subject_name: row.name })
  return presentMacro(row)
}

/** @throws NotFound, Forbidden */
export async function updateMacro(tx: Change, caller: User, id: string, changes: MacroChanges): Promise<Macro> {
  const before = await lockMacro(tx, caller, id)
  await assertValid(tx.db, caller.account_id, { ...before, ...changes })
  const { actions, ...plain } = changes
  const row = await ofAccount(tx.db, caller.account_id)
    .updateTable('macros')
    .set({ ...plain, ...(actions && { actions: toJson(actions) }), updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<MacroRow>()
    .executeTakeFirstOrThrow()
    .catch(rethrowDuplicate('name'))
  const audited = { action: 'macro.updated', subject_id: id, subject_name: row.name }
  if (row.user_id === null) await recordChanges(tx, caller, audited, fieldChanges(before, changes))
  return presentMacro(row)
}

export async function deleteMacro(tx: Change, caller: User, id: string): Promise<null> {
  const { name, user_id } = await lockMacro(tx, caller, id)
  await ofAccount(tx.db, caller.account_id).deleteFrom('macros').where('id', '=', id).execute()
  if (user_id === null) await recordAudit(tx, caller, { action: 'macro.deleted', subject_id: id, subject_name: name })
  return null
}

async function lockMacro({ db }: Change, caller: User, id: string): Promise<MacroRow> {
  const row = await selectMacros(db, caller).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw new NotFound()
  assertMayChange(caller, row)
  return row
}

function assertMayChange({ role }: User, { user_id }: Pick<MacroRow, 'user_id'>): void {
  if (user_id === null && role !== 'admin') throw new Forbidden('Only admins change macros of the whole team.')
}

async function assertValid(db: Db, account_id: string, macro: Pick<MacroRow, 'content' | 'actions'>): Promise<void> {
  if (!macro.content.trim() && macro.actions.length === 0)
    throw new Unacceptable('Give the macro a text or at least one action.')
  if ((await missingTargets(db, account_id, [macro])).size > 0)
    throw new Unacceptable(
      'This macro names a person, team, tag, attribute or webhook that no longer exists. Choose another one.',
    )
}

/**
 * Does the actions of a macro on a conversation as the caller: all of them, or none if one is refused.
 * @returns the conversation, and its state before for undoing
 */
export async function runMacro(
  context: Pick<Context, 'mailer' | 'jobs'>,
  tx: Change,
  caller: User,
  id: string,
  conversation_id: string,
) {
  const { account_id, user_id } = caller
  const macro = await selectMacros(tx.db, caller).where('id', '=', id).executeTakeFirst()
  if (!macro) throw new NotFound()
  const { metadata, ...state } = await readState(tx, account_id, conversation_id)
  const keys = macro.actions.flatMap((action) => (action.action === 'set_attribute' ? action.key : []))
  const attributes = Object.fromEntries(keys.map((key) => [key, Object.hasOwn(metadata, key) ? metadata[key] : null]))
  const before: MacroState = { ...state, attributes }
  const author = { kind: 'user' as const, user_id }
  for (const action of macro.actions) {
    if (isActionNeeded(action, await readState(tx, account_id, conversation_id)))
      await runAction({ context, tx, actor: caller, author, conversation_id }, action)
  }
  return { conversation: await getConversationRow(tx.db, account_id, conversation_id), before }
}

async function readState(tx: Change, account_id: string, id: string) {
  const state = await readActionState(tx, account_id, id)
  if (!state || state.archived_at) throw new NotFound()
  const { archived_at, ...before } = state
  return before
}
