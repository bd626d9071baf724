import {
  type AttributeChanges,
  type AttributeDefinition,
  type AttributeDraft,
  type AttributeSubject,
  attributeDefinitionsUpdated,
  MAX_ATTRIBUTES,
} from '#contract/customers/attributes.ts'
import { Invalid, NotFound, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { type Change, type Db, fieldChanges } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { setPositions } from '../../../platform/db/positions.ts'
import { newId } from '../../../platform/secrets.ts'
import { lockAccount } from '../../accounts/accounts/accounts.ts'
import { recordAudit, recordChanges } from '../../accounts/audit/audit.ts'

const columns = [
  'id',
  'subject',
  'key',
  'name',
  'kind',
  'choices',
  'position',
  'description',
  'team_only',
  'created_at',
  'updated_at',
] as const

type AttributeRow = Omit<AttributeDefinition, 'object'>

function presentAttributeDefinition(row: AttributeRow): AttributeDefinition {
  return { ...row, object: 'attribute_definition' }
}

/** The attributes of an account in their order, those of customers and of conversations or only those of one. */
export async function listAttributes(
  db: Db,
  account_id: string,
  subject?: AttributeSubject,
): Promise<AttributeDefinition[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('attribute_definitions')
    .select(columns)
    .$if(subject !== undefined, (query) => query.where('subject', '=', subject!))
    .orderBy('position')
    .orderBy('id')
    .$castTo<AttributeRow>()
    .execute()
  return rows.map(presentAttributeDefinition)
}

/** The attribute that a column of a list means: the one of this name, in any case of its letters, else of this key. */
export function findAttribute(attributes: AttributeDefinition[], column: string): AttributeDefinition | undefined {
  const name = column.trim().toLowerCase()
  return (
    attributes.find((attribute) => attribute.name.toLowerCase() === name) ??
    attributes.find(({ key }) => key === column.trim())
  )
}

/** The keys of customers that the website may neither set nor see. */
export async function listTeamOnlyKeys(db: Db, account_id: string): Promise<ReadonlySet<string>> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('attribute_definitions')
    .select('key')
    .where('subject', '=', 'customer')
    .where('team_only', '=', true)
    .execute()
  return new Set(rows.map(({ key }) => key))
}

/**
 * Defines an attribute, at the end of the list.
 * @throws Invalid if key or name are taken, or a choice has no choices; Unacceptable if there are too many
 */
export async function createAttribute(tx: Change, caller: User, draft: AttributeDraft): Promise<AttributeDefinition> {
  const { account_id } = caller
  await lockAccount(tx, account_id)
  const existing = await listAttributes(tx.db, account_id)
  if (existing.length >= MAX_ATTRIBUTES)
    throw new Unacceptable(`There are ${MAX_ATTRIBUTES} attributes already. Delete one that is no longer needed.`)
  const isKeyTaken = existing.some(({ subject, key }) => subject === draft.subject && key === draft.key)
  if (isKeyTaken) throw new Invalid({ key: ['has already been taken'] })
  const position = Math.max(0, ...existing.map((attribute) => attribute.position)) + 1
  const attribute = { ...draft, choices: choicesOf(draft.kind, draft.choices), id: newId() }
  assertFits(attribute, existing)
  const row = await tx.db
    .insertInto('attribute_definitions')
    .values({ ...attribute, account_id, position })
    .returning(columns)
    .$castTo<AttributeRow>()
    .executeTakeFirstOrThrow()
  await recordAudit(tx, caller, { action: 'attribute.created', subject_id: row.id, subject_name: row.name })
  tx.announce(account_id, attributeDefinitionsUpdated, { subject: row.subject })
  return presentAttributeDefinition(row)
}

/** Changes an attribute. @throws NotFound; Invalid if the name is taken, or a choice has no choices */
export async function updateAttribute(
  tx: Change,
  caller: User,
  id: string,
  wanted: AttributeChanges,
): Promise<AttributeDefinition> {
  const { account_id } = caller
  await lockAccount(tx, account_id)
  const existing = await listAttributes(tx.db, account_id)
  const before = existing.find((attribute) => attribute.id === id)
  if (!before) throw new NotFound()
  const changes = { ...wanted, ...(wanted.choices && { choices: choicesOf(before.kind, wanted.choices) }) }
  assertFits({ ...before, ...changes }, existing)
  const row = await ofAccount(tx.db, account_id)
    .updateTable('attribute_definitions')
    .set({ ...changes, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<AttributeRow>()
    .executeTakeFirstOrThrow()
  const audited = { action: 'attribute.updated', subject_id: id, subject_name: row.name }
  await recordChanges(tx, caller, audited, fieldChanges(before, changes))
  tx.announce(account_id, attributeDefinitionsUpdated, { subject: row.subject })
  return presentAttributeDefinition(row)
}

/** Only a choice has choices. */
function choicesOf(kind: AttributeDefinition['kind'], choices: string[] = []): string[] {
  return kind === 'choice' ? choices : []
}

/** Lists find an attribute by its name, and nobody could choose without choices. */
function assertFits(
  { id, subject, name, kind, choices }: Pick<AttributeDefinition, 'id' | 'subject' | 'name' | 'kind' | 'choices'>,
  existing: AttributeDefinition[],
): void {
  const isSameName = (other: AttributeDefinition) =>
    other.id !== id && other.subject === subject && other.name.toLowerCase() === name.toLowerCase()
  if (existing.some(isSameName)) throw new Invalid({ name: ['has already been taken'] })
  if (kind === 'choice' && choices.length === 0) throw new Invalid({ choices: ["can't be blank"] })
}

/** Puts attributes into an order; those that are not named stay behind them. @throws Invalid for an unknown id */
export async function reorderAttributes(tx: Change, caller: User, ids: string[]): Promise<AttributeDefinition[]> {
  const { account_id } = caller
  await lockAccount(tx, account_id)
  const existing = new Map((await listAttributes(tx.db, account_id)).map((attribute) => [attribute.id, attribute]))
  if (!ids.every((id) => existing.has(id))) throw new Invalid({ ids: ['does not exist'] })
  const order = [...new Set([...ids, ...existing.keys()])]
  await setPositions(tx, 'attribute_definitions', account_id, order)
  await recordAudit(tx, caller, { action: 'attribute.reordered' })
  for (const subject of new Set([...existing.values()].map((attribute) => attribute.subject)))
    tx.announce(account_id, attributeDefinitionsUpdated, { subject })
  return listAttributes(tx.db, account_id)
}

/** Deletes an attribute. Its values stay in the metadata. @throws NotFound */
export async function deleteAttribute(tx: Change, caller: User, id: string): Promise<null> {
  const { account_id } = caller
  const row = await ofAccount(tx.db, account_id)
    .deleteFrom('attribute_definitions')
    .where('id', '=', id)
    .returning(['name', 'subject'])
    .executeTakeFirst()
  if (!row) throw new NotFound()
  await recordAudit(tx, caller, { action: 'attribute.deleted', subject_id: id, subject_name: row.name })
  tx.announce(account_id, attributeDefinitionsUpdated, { subject: row.subject as AttributeSubject })
  return null
}
