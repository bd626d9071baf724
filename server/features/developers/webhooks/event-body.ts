import type { WebhookEvent } from '#contract/developers/webhooks.ts'
import type { EventDefinition } from '#contract/event.ts'
import { eventDefinitions } from '#contract/events.ts'
import type { LoggedEvent } from '../../../feature.ts'

const definitions = new Map<string, EventDefinition>(
  eventDefinitions.map((definition) => [definition.type, definition as EventDefinition]),
)

type AnyEvent = LoggedEvent<WebhookEvent>['event']

/**
 * A message of the team or of a program may opt out of webhooks, so that two programs do not answer each other
 * endlessly.
 */
export function isDisabled(event: AnyEvent): boolean {
  return 'message' in event && !!event.message.user_id && event.message.metadata?.disable_webhook_events === true
}

/** In Papercups' form: the message or the conversation itself; other events as the team receives them. */
export function payloadOf({ type, ...payload }: AnyEvent): unknown {
  if ('conversation' in payload) return payload.conversation
  return definitions.get(type)?.forTeam(payload)?.payload
}

/** The customer and conversation of an event. */
export function subjectsOf(event: AnyEvent): {
  conversation_id?: string | undefined
  customer_id?: string | undefined
} {
  const parts = event as Record<string, unknown> & {
    [Part in 'message' | 'conversation' | 'customer' | 'note' | 'deadline' | 'translated']?: Record<string, string>
  }
  const id = (name: string) => (typeof parts[name] === 'string' ? (parts[name] as string) : undefined)
  return {
    conversation_id:
      parts.conversation?.id ??
      parts.message?.conversation_id ??
      parts.deadline?.conversation_id ??
      parts.translated?.conversation_id ??
      id('conversation_id'),
    customer_id: id('customer_id') ?? parts.conversation?.customer_id ?? parts.customer?.id ?? parts.note?.customer_id,
  }
}
