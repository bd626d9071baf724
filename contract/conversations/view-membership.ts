import { attributeText, positiveOf, prepareAttributeTest } from './attribute-conditions.ts'
import type { ConversationRow } from './conversations.ts'
import { NOBODY } from './rule-conditions.ts'
import { isNegation, ME, type ViewCondition, type ViewConditions, type ViewFieldName } from './view-conditions.ts'

/** A conversation as lists hold it. */
interface Listed extends ConversationRow {
  tags?: readonly { id: string }[]
  mentions?: readonly { user_id: number }[]
}

interface Look {
  me: number
  now: number
  operator: ViewCondition['operator']
  key: string | undefined
}

/** Undefined where only the server can tell. */
type Answer = boolean | undefined
type Reader = (values: string[], conversation: Listed, look: Look) => Answer

const ONLY_THE_SERVER: Reader = () => undefined

/** What each field asks of a listed conversation. A new field does not compile until it is here. */
const READERS: Record<ViewFieldName, Reader> = {
  status: (values, { status, snoozed_at }) => values.includes(snoozed_at === null ? status : 'snoozed'),
  unread: (_, { read }) => !read,
  priority: (values, { priority }) => values.includes(priority),
  assignee: (values, { assignee_id }, look) => isUser(values, assignee_id, look),
  mentions: (values, { mentions, unseen_mention_user_ids }, look) => {
    const isUnseen = unseen_mention_user_ids.some((id) => isUser(values, id, look))
    return isUnseen || mentions?.some(({ user_id }) => isUser(values, user_id, look))
  },
  team: (values, { team_id }) => values.includes(team_id ?? NOBODY),
  inbox: (values, { inbox_id }) => values.includes(inbox_id),
  channel: (values, { source }) => values.includes(source),
  tags: (values, { tags }) => tags?.some(({ id }) => values.includes(id)),
  overdue: (_, { due_at }, { now }) => due_at !== null && Date.parse(due_at) < now,
  due_in: ([minutes], { due_at }, { now, operator }) =>
    due_at !== null && isLonger(Date.parse(due_at) - now, minutes, operator),
  waiting_for_team: ONLY_THE_SERVER,
  waiting_for_customer: ONLY_THE_SERVER,
  last_activity: ([minutes], { last_activity_at }, { now, operator }) =>
    isLonger(now - Date.parse(last_activity_at), minutes, operator),
  created: ([minutes], { created_at }, { now, operator }) => isLonger(now - Date.parse(created_at), minutes, operator),
  subject: ONLY_THE_SERVER,
  text: ONLY_THE_SERVER,
  customer: ONLY_THE_SERVER,
  customer_company: ONLY_THE_SERVER,
  customer_language: ONLY_THE_SERVER,
  customer_metadata: ONLY_THE_SERVER,
  conversation_metadata: (values, { metadata }, { operator, key }) =>
    prepareAttributeTest(positiveOf(operator), values)(attributeText(metadata, key)),
}

/**
 * Whether a conversation fulfils the conditions of a view, for lists that follow events.
 * @returns undefined where only the server can tell
 */
export function isInView(conditions: ViewConditions, conversation: Listed, me: number, now: number): Answer {
  if (conversation.archived_at) return false
  return every(conditions.map((list) => some(list.map((condition) => answer(condition, conversation, me, now)))))
}

function answer(condition: ViewCondition, conversation: Listed, me: number, now: number): Answer {
  const { field, operator, values, key } = condition
  const holds = READERS[field](values, conversation, { me, now, operator, key })
  return holds === undefined ? undefined : holds !== isNegation(operator)
}

function some(answers: Answer[]): Answer {
  if (answers.includes(true)) return true
  return answers.includes(undefined) ? undefined : false
}

function every(answers: Answer[]): Answer {
  if (answers.includes(false)) return false
  return answers.includes(undefined) ? undefined : true
}

function isUser(values: string[], id: number | null, { me }: Look): boolean {
  return values.includes(id === null ? NOBODY : String(id)) || (id === me && values.includes(ME))
}

function isLonger(ms: number, minutes: string | undefined, operator: ViewCondition['operator']): boolean {
  const limit = Number(minutes) * 60_000
  return operator === 'more_than' ? ms > limit : ms < limit
}

/** Fields whose answer changes as time passes. */
const BY_TIME: readonly ViewFieldName[] = [
  'overdue',
  'due_in',
  'waiting_for_team',
  'waiting_for_customer',
  'last_activity',
  'created',
]

/** Whether conversations enter or leave a view by time alone. */
export function changesByTime(conditions: ViewConditions): boolean {
  return conditions.flat().some(({ field }) => BY_TIME.includes(field))
}

/** Whether only the server can tell if a conversation is in a view. */
export function needsServer(conditions: ViewConditions): boolean {
  return conditions.flat().some(({ field }) => READERS[field] === ONLY_THE_SERVER)
}
