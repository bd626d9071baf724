import type { Message } from '#contract/conversations/messages.ts'
import type { RuleTriggerName } from '#contract/conversations/rule-triggers.ts'
import type { ReadEvent } from '../../../feature.ts'
import type { RuleState } from './facts.ts'
import type { WaitChange } from './waits.ts'

export const RULE_EVENTS = [
  'conversation:created',
  'message:created',
  'conversation:updated',
  'conversation:tagged',
  'conversation:assigned',
  'deadline:warned',
  'deadline:broken',
  'tag:deleted',
  'team:deleted',
  'attribute_definitions:updated',
  'inbox:deleted',
  'user:updated',
] as const

export type RuleSource = ReadEvent<(typeof RULE_EVENTS)[number]>

/** Something that happened to a conversation, for which rules may run. */
export interface Happening {
  trigger: RuleTriggerName
  conversation_id: string
  message?: Message
  /** What the event itself says about the conversation; the rest is read. */
  state?: Partial<RuleState>
  request_id: string | null
}

/** What an event means for rules; undefined for those that start none. */
export function happeningOf({ event, request_id = null }: RuleSource): Happening | undefined {
  switch (event.type) {
    case 'conversation:created':
      return { trigger: 'conversation_created', conversation_id: event.conversation.id, request_id }
    case 'message:created':
      return ofMessage(event.message, request_id)
    case 'conversation:tagged':
      return {
        trigger: 'conversation_changed',
        conversation_id: event.conversation_id,
        state: { changed: ['tags'], tag_ids: event.tags.map(({ id }) => id) },
        request_id,
      }
    case 'conversation:assigned': {
      const { conversation_id, user_id } = event.assignment
      return user_id === null ? undefined : { trigger: 'conversation_assigned', conversation_id, request_id }
    }
    case 'deadline:warned':
      return { trigger: 'deadline_warned', conversation_id: event.deadline.conversation_id, request_id }
    case 'deadline:broken':
      return { trigger: 'deadline_broken', conversation_id: event.deadline.conversation_id, request_id }
    case 'conversation:updated': {
      const { conversation, before } = event
      if (!before) return undefined
      const { status, priority, assignee_id, team_id, inbox_id, assistant } = conversation
      const changed = Object.keys(before).map((field) => field.replace(/_id$/, ''))
      const state = { status, priority, assignee_id, team_id, inbox_id, assistant, changed, before }
      return { trigger: 'conversation_changed', conversation_id: conversation.id, state, request_id }
    }
    default:
      return undefined
  }
}

function ofMessage(message: Message, request_id: string | null): Happening | undefined {
  if (message.private || message.type !== 'reply') return undefined
  const trigger = message.customer_id ? 'customer_message' : 'team_message'
  const state = { is_first_message: message.number === 1 }
  return { trigger, conversation_id: message.conversation_id, message, state, request_id }
}

const ENDINGS = new Set<string>([
  'tag:deleted',
  'team:deleted',
  'attribute_definitions:updated',
  'inbox:deleted',
  'user:updated',
] satisfies (typeof RULE_EVENTS)[number][])

/** Whether something was deleted, or somebody left, whom a rule may name. */
export function endsTargets({ event }: RuleSource): boolean {
  return ENDINGS.has(event.type)
}

/** What an event means for who waits for whom; undefined if nothing. */
export function waitChangeOf({ event }: RuleSource): WaitChange | undefined {
  if (event.type === 'message:created' && !event.message.private && event.message.type === 'reply')
    return { conversation_id: event.message.conversation_id, message: event.message }
  if (event.type === 'conversation:updated' && event.before?.status === 'open')
    return { conversation_id: event.conversation.id }
  return undefined
}
