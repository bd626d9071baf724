import { attributeText } from '#contract/conversations/attribute-conditions.ts'
import { NOBODY, type RuleFieldName } from '#contract/conversations/rule-conditions.ts'
import type { Facts } from './evaluate.ts'

/** The fields of a conversation that change, as they were when something happened. Stored with the event. */
export interface RuleState {
  inbox_id: string
  status: 'open' | 'closed'
  priority: 'priority' | 'not_priority'
  assignee_id: number | null
  /** Undefined in events that were stored before rules knew teams; the same holds for the deadline. */
  team_id?: string | null | undefined
  /** Minutes until its next deadline, less than nothing once it was missed; null without a running one. */
  minutes_to_deadline?: number | null | undefined
  /** Undefined in events that were stored before rules knew the chat assistant. */
  assistant?: string | null | undefined
  tag_ids: string[]
  is_snoozed: boolean
  in_working_hours: boolean
  /** Of a message: whether it is the conversation's first. */
  is_first_message?: boolean | undefined
  /** Of a change: which fields changed, and their previous values. */
  changed?: string[] | undefined
  before?:
    | {
        status?: string
        priority?: string
        assignee_id?: number | null
        team_id?: string | null
        inbox_id?: string
        assistant?: string | null
      }
    | undefined
}

/** What is read when a rule is evaluated: the conversation's fixed fields, its customer, and the message's text. */
export interface RuleSubject {
  source: string
  subject: string | null
  conversation_metadata: Record<string, unknown>
  customer_id: string
  customer_name: string | null
  customer_email: string | null
  customer_phone: string | null
  customer_language: string | null
  customer_metadata: Record<string, unknown>
  customer_company: string | null
  /** The text of the message, if the event is one. */
  text?: string | null | undefined
}

type Reader = (state: RuleState, subject: RuleSubject, key: string | undefined) => readonly string[] | boolean

/** How each field is read. A new field does not compile until it is here. */
const READERS: Record<RuleFieldName, Reader> = {
  inbox: ({ inbox_id }) => [inbox_id],
  channel: (_, { source }) => [source],
  status: ({ status }) => [status],
  priority: ({ priority }) => [priority],
  assignee: ({ assignee_id }) => [personOf(assignee_id)],
  team: ({ team_id }) => [team_id ?? NOBODY],
  assistant: ({ assistant }) => (assistant ? [assistant] : []),
  tags: ({ tag_ids }) => tag_ids,
  subject: (_, { subject }) => textsOf(subject),
  text: (_, { text }) => textsOf(text),
  is_first_message: ({ is_first_message }) => is_first_message ?? false,
  in_working_hours: ({ in_working_hours }) => in_working_hours,
  customer_name: (_, { customer_name }) => textsOf(customer_name),
  customer_email: (_, { customer_email }) => textsOf(customer_email),
  customer_domain: (_, { customer_email }) => textsOf(customer_email?.split('@')[1]),
  customer_company: (_, { customer_company }) => textsOf(customer_company),
  customer_language: (_, { customer_language }) => languagesOf(customer_language),
  customer_metadata: (_, { customer_metadata }, key) => textsOf(attributeText(customer_metadata, key)),
  conversation_metadata: (_, { conversation_metadata }, key) => textsOf(attributeText(conversation_metadata, key)),
  deadline_overdue: ({ minutes_to_deadline }) => (minutes_to_deadline ?? 0) < 0,
  minutes_to_deadline: ({ minutes_to_deadline }) => textsOf(minutes_to_deadline?.toString()),
  changed: ({ changed }) => changed ?? [],
  previous_status: ({ before }) => textsOf(before?.status),
  previous_priority: ({ before }) => textsOf(before?.priority),
  previous_assignee: ({ before }) => (before?.assignee_id === undefined ? [] : [personOf(before.assignee_id)]),
  previous_team: ({ before }) => (before?.team_id === undefined ? [] : [before.team_id ?? NOBODY]),
}

/** The facts of one event. */
export function factsOf(state: RuleState, subject: RuleSubject): Facts {
  return { read: (field, key) => READERS[field](state, subject, key) }
}

function personOf(user_id: number | null): string {
  return user_id === null ? NOBODY : String(user_id)
}

function textsOf(text: string | null | undefined): string[] {
  return text?.trim() ? [text] : []
}

/** `de-AT` is German, too. */
function languagesOf(language: string | null): string[] {
  return language ? [language, ...(language.includes('-') ? [language.split('-')[0]!] : [])] : []
}
