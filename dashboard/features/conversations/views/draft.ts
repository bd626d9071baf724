import { attributeOperators } from '#contract/conversations/attribute-conditions.ts'
import type { Bucket } from '#contract/conversations/buckets.ts'
import { NOBODY } from '#contract/conversations/rule-conditions.ts'
import {
  ME,
  type ViewCondition,
  type ViewFieldName,
  viewField,
  viewOperatorsOf,
} from '#contract/conversations/view-conditions.ts'
import type { ConversationView, ConversationViewDraft } from '#contract/conversations/views.ts'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import type { View } from '../conversations/views.ts'

/** A condition of a field before anything is chosen; one on attributes begins with the first of them. */
export function firstCondition(field: ViewFieldName, attributes: readonly AttributeDefinition[] = []): ViewCondition {
  const { keyOf } = viewField(field)
  if (keyOf)
    return attributeCondition(
      field,
      attributes.find(({ subject }) => subject === keyOf),
    )
  const values = viewField(field).kind === 'duration' ? ['60'] : []
  return { field, operator: viewOperatorsOf(field)[0]!, values }
}

/** A condition on an attribute before anything is chosen. */
export function attributeCondition(field: ViewFieldName, attribute: AttributeDefinition | undefined): ViewCondition {
  return { field, operator: attributeOperators(attribute?.kind)[0]!, values: [], key: attribute?.key ?? '' }
}

/** What an existing view is when it is edited. */
export function draftOf({ name, is_personal, conditions, sort }: ConversationView): ConversationViewDraft {
  return { name, is_personal, conditions, sort }
}

/** A new view that shows what a list shows, as a beginning. */
export function draftOfList(view: View): ConversationViewDraft {
  const empty = { name: '', is_personal: true }
  if (view.saved) return { ...empty, conditions: view.saved.conditions, sort: view.saved.sort }
  const { bucket, is_overdue, inbox_id, team_id } = view
  const conditions = [
    is('status', BUCKET_STATUS[bucket] ?? 'open'),
    ...(BUCKET_CONDITIONS[bucket] ?? []),
    ...(is_overdue ? [isOverdue] : []),
    ...(inbox_id ? [is('inbox', inbox_id)] : []),
    ...(team_id ? [is('team', team_id)] : []),
  ]
  return {
    ...empty,
    conditions: conditions.map((condition) => [condition]),
    sort: bucket === 'due' ? 'due' : 'activity',
  }
}

const isOverdue: ViewCondition = { field: 'overdue', operator: 'is_true', values: [] }

const BUCKET_STATUS: Partial<Record<Bucket, string>> = { snoozed: 'snoozed', closed: 'closed' }

const BUCKET_CONDITIONS: Partial<Record<Bucket, ViewCondition[]>> = {
  me: [is('assignee', ME)],
  mentions: [is('mentions', ME)],
  unread: [{ field: 'unread', operator: 'is_true', values: [] }],
  unassigned: [is('assignee', NOBODY)],
  priority: [is('priority', 'priority')],
}

function is(field: ViewFieldName, value: string): ViewCondition {
  return { field, operator: 'is', values: [value] }
}
