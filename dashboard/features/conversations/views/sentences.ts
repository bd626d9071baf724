import type { TFunction } from 'i18next'
import { DATED } from '#contract/conversations/attribute-conditions.ts'
import { type ViewCondition, type ViewConditions, viewField } from '#contract/conversations/view-conditions.ts'
import { shortDate } from '../../../platform/times.ts'
import { findAttribute } from '../../customers/attributes/find-attribute.ts'
import type { ViewChoices } from './useViewChoices.ts'

/** What a view looks for, as a sentence: `Status is open and (Tag is refund or Overdue: yes)`. */
export function viewText(t: TFunction, choices: ViewChoices, conditions: ViewConditions): string {
  if (conditions.length === 0) return t('saved_views.everything')
  const lists = conditions.map((list) => {
    const text = list.map((condition) => conditionText(t, choices, condition)).join(` ${t('saved_views.or')} `)
    return list.length > 1 && conditions.length > 1 ? `(${text})` : text
  })
  return lists.join(` ${t('saved_views.and')} `)
}

function conditionText(t: TFunction, choices: ViewChoices, condition: ViewCondition): string {
  const { field, operator, values, key } = condition
  const options = choices.of(field, key)
  const labelOf = (value: string) => {
    if (viewField(field).kind === 'duration') return durationText(t, Number(value))
    if (DATED.includes(operator)) return shortDate(value)
    if (!options) return `“${value}”`
    return options.find((option) => option.value === value)?.label ?? t('saved_views.deleted')
  }
  const attribute = findAttribute(choices.attributes, viewField(field).keyOf, key)
  const name = [t(`saved_views.fields.${field}`), key && `“${attribute?.name ?? key}”`].filter(Boolean).join(' ')
  const operatorText = t(`saved_views.operators.${operator}`)
  if (operator === 'is_true' || operator === 'is_false') return `${name}: ${operatorText}`
  return [name, operatorText, values.map(labelOf).join(` ${t('saved_views.or')} `)].filter(Boolean).join(' ')
}

/** Units in which a time is entered, in minutes. */
export const UNITS = { days: 1440, hours: 60, minutes: 1 } as const
export type Unit = keyof typeof UNITS

/** The largest unit of which a time is a whole number. */
export function unitOf(minutes: number): Unit {
  return (Object.keys(UNITS) as Unit[]).find((unit) => minutes > 0 && minutes % UNITS[unit] === 0) ?? 'minutes'
}

function durationText(t: TFunction, minutes: number): string {
  const unit = unitOf(minutes)
  return t(`saved_views.durations.${unit}`, { count: minutes / UNITS[unit] })
}
