import type { TFunction } from 'i18next'
import { fitsAttribute, readAttributeValue } from '#contract/customers/attribute-values.ts'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import { formatNumber } from '../../../platform/formats.ts'
import { shortDate } from '../../../platform/times.ts'

type Shape = Pick<AttributeDefinition, 'kind' | 'choices'>

/** A stored value as people read it; empty for none. What does not fit its attribute is written as it is. */
export function valueText(t: TFunction, attribute: Shape, stored: unknown): string {
  const read = readAttributeValue(attribute, stored)
  if (read === undefined) return ''
  if (read.problem !== undefined) return rawText(stored)
  if (typeof read.value === 'boolean') return t(read.value ? 'yes' : 'no')
  if (typeof read.value === 'number') return formatNumber(read.value, { maximumFractionDigits: 15 })
  return attribute.kind === 'date' ? shortDate(read.value) : read.value
}

function rawText(stored: unknown): string {
  if (stored === null || stored === undefined) return ''
  return typeof stored === 'object' ? JSON.stringify(stored) : String(stored)
}
/** A stored value as it is edited: what fits in the form in which it is stored. */
export function editedText(attribute: Shape, stored: unknown): string {
  const read = readAttributeValue(attribute, stored)
  return read?.value === undefined ? rawText(stored) : String(read.value)
}

/** Whether a stored value is to be marked, because another program sent what does not fit. */
export function isUnfit(attribute: Shape, stored: unknown): boolean {
  return !fitsAttribute(attribute, stored)
}

/** What is stored under a key, which may be any text. */
export function storedValue(metadata: Record<string, unknown> | null, key: string): unknown {
  return metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined
}
