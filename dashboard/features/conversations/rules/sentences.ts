import type { TFunction } from 'i18next'
import type { ConversationAction } from '#contract/conversations/conversation-actions.ts'
import { type RuleCondition, ruleField } from '#contract/conversations/rule-conditions.ts'
import { isWait, type RuleTrigger } from '#contract/conversations/rule-triggers.ts'
import type { Option } from '../../../ui/ChoiceList.tsx'
import { findAttribute } from '../../customers/attributes/find-attribute.ts'
import { valueText } from '../../customers/attributes/value-text.ts'
import type { Choices } from './useChoices.ts'

/** A condition as part of a sentence: `Text contains refund or money`. */
export function conditionText(t: TFunction, choices: Choices, condition: RuleCondition): string {
  const { field, operator, values, key } = condition
  const options = choices.of(field, key)
  const attribute = findAttribute(choices.attributes, ruleField(field).keyOf, key)
  const named = values.map((value) => (options ? labelOf(t, options, value) : `“${value}”`))
  const subject = key ? `${t(`rules.fields.${field}`)} “${attribute?.name ?? key}”` : t(`rules.fields.${field}`)
  return [subject, t(`rules.operators.${operator}`), named.join(` ${t('rules.or')} `)].filter(Boolean).join(' ')
}

/** Conditions of which one is enough. */
export function listText(t: TFunction, choices: Choices, list: readonly RuleCondition[]): string {
  return list.map((condition) => conditionText(t, choices, condition)).join(` ${t('rules.or')} `)
}

/** An action as part of a sentence: `Add tag: refund`. */
export function actionText(t: TFunction, choices: Choices, action: ConversationAction): string {
  const detail = detailOf(t, choices, action)
  const name = t(`rules.actions.${action.action}`)
  return detail ? `${name}: ${detail}` : name
}

function detailOf(t: TFunction, choices: Choices, action: ConversationAction): string {
  const { users, tags, teams, webhooks } = choices
  switch (action.action) {
    case 'assign':
      return action.user_id === null ? t('rules.values.nobody') : labelOf(t, users, String(action.user_id))
    case 'set_team':
      return action.team_id === null ? t('rules.values.no_team') : labelOf(t, teams, action.team_id)
    case 'set_attribute': {
      const attribute = findAttribute(choices.attributes, 'conversation', action.key)
      const value = attribute ? valueText(t, attribute, action.value) : String(action.value ?? '')
      return `${attribute?.name ?? t('rules.deleted')} = ${value || t('attributes.none')}`
    }
    case 'add_tag':
    case 'remove_tag':
      return labelOf(t, tags, action.tag_id)
    case 'call_webhook':
      return webhooks ? labelOf(t, webhooks, action.webhook_id) : ''
    case 'set_priority':
      return t(`rules.values.${action.priority}`)
    case 'set_status':
      return t(`rules.values.${action.status}`)
    case 'snooze':
      return action.minutes === null ? t('rules.until_answer') : t('rules.minutes', { count: action.minutes })
    case 'notify':
      return action.user_ids.map((id) => labelOf(t, users, String(id))).join(', ')
    default:
      return action.body
  }
}

/** What starts a rule: `A customer writes`. */
export function triggerText(t: TFunction, trigger: RuleTrigger): string {
  const name = t(`rules.triggers.${trigger.on}`)
  return isWait(trigger) ? `${name}: ${t('rules.minutes', { count: trigger.minutes })}` : name
}

function labelOf(t: TFunction, options: readonly Option[], value: string): string {
  return options.find((option) => option.value === value)?.label ?? t('rules.deleted')
}
