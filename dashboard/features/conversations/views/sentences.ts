import type { TFunction } from 'i18next'
import { type ViewCondition, type ViewConditions, viewField } from '#contract/conversations/view-conditions.ts'
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

function conditionText(t: TFunction, choices: ViewChoices, { field, operator, values }: ViewCondition): string {
  const options = choices(field)
  const labelOf = (value: string) => {
    if (viewField(field).kind === 'duration') return durationText(t, Number(value))
    if (!options) return `“${value}”`
    return options.find((option) => option.value === value)?.label ?? t('saved_views.deleted')
  }
  if (values.length === 0) return `${t(`saved_views.fields.${field}`)}: ${t(`saved_views.operators.${operator}`)}`
  const named = values.map(labelOf).join(` ${t('saved_views.or')} `)
  return `${t(`saved_views.fields.${field}`)} ${t(`saved_views.operators.${operator}`)} ${named}`
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
