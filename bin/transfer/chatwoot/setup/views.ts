import { isViewConditionValid, type ViewCondition } from '#contract/conversations/view-conditions.ts'
import { attributeCondition, chosen, commonField, type Filter, inLists, named, readFilters } from './filters.ts'
import { objectIn, textOf } from './lists.ts'
import { ownerOf } from './macros.ts'
import { type MovedAccount, NoEqual, type StagedRow } from './moved-account.ts'

const OF_CONVERSATIONS = 0
const MAX_NAME = 100
const DAY_MINUTES = 1_440
const STATUSES = { open: 'open', resolved: 'closed', snoozed: 'snoozed' }

/**
 * A saved filter over conversations: a view of the same person.
 * @throws NoEqual
 */
export function viewOf(moved: MovedAccount, row: StagedRow) {
  if (row.filter_type !== OF_CONVERSATIONS) throw new NoEqual('is no filter over conversations')
  const filters = readFilters(objectIn(row.query).payload)
  if (filters.length === 0) throw new NoEqual('has no conditions')
  const conditions = inLists(
    filters,
    filters.map((filter) => viewCondition(moved, filter)),
  )
  const user_id = ownerOf(moved, row.user_id)
  return {
    name: textOf(row.name).slice(0, MAX_NAME) || 'View',
    user_id,
    conditions,
    sort: 'activity',
    reads_waits: false,
  }
}

function viewCondition(moved: MovedAccount, filter: Filter): ViewCondition {
  const condition = (attributeCondition(moved, filter) ??
    commonField(moved, filter) ??
    ownField(filter)) as ViewCondition
  if (!isViewConditionValid(condition)) throw new NoEqual(`compares ${filter.key} by ${filter.operator}`)
  return condition
}

function ownField(filter: Filter) {
  const { key, operator, values } = filter
  switch (key) {
    case 'status':
      return { field: 'status', ...chosen(filter, (status) => named(STATUSES, key, status)) }
    case 'created_at':
    case 'last_activity_at':
      // How many days ago; a fixed day has no equal.
      if (operator === 'days_before' && /^\d{1,4}$/.test(values[0] ?? '')) {
        const minutes = String(Number(values[0]) * DAY_MINUTES)
        return { field: key === 'created_at' ? 'created' : 'last_activity', operator: 'more_than', values: [minutes] }
      }
      throw new NoEqual(`compares ${key} by ${operator}`)
    default:
      throw new NoEqual(`looks at ${key || 'nothing'}`)
  }
}
