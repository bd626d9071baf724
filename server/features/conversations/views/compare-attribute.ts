import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  type AttributeOperator,
  dayOf,
  foldAll,
  foldIdentity,
  foldText,
  positiveOf,
} from '#contract/conversations/attribute-conditions.ts'
import { BLANKS, dayIn, numberOf, textOf } from '../../customers/attributes/stored-values.ts'
import { escapeLike } from '../messages/messages.ts'

type Sql<T> = RawBuilder<T>

/**
 * Whether a value of the metadata is what an operator asks for, or its opposite: `prepareAttributeTest` in the
 * database. No value, one that does not fit, lists and objects are never what is asked for.
 */
export function compareAttribute(
  metadata: Sql<unknown>,
  key: string,
  operator: AttributeOperator,
  values: string[],
): Sql<SqlBool> {
  const text = textOf(metadata, key)
  const [limit = ''] = values
  switch (positiveOf(operator)) {
    case 'is_set':
      return sql<SqlBool>`${text} is not null`
    case 'is_true':
      return sql<SqlBool>`lower(btrim(${text}, ${BLANKS})) in ('true', 'yes', '1')`
    case 'is':
      return isAny(text, foldAll(values, foldIdentity))
    case 'contains':
      return sql<SqlBool>`${folded(text)} like any(${foldAll(values, foldText).map((word) => `%${escapeLike(word)}%`)}::text[])`
    case 'starts_with':
      return sql<SqlBool>`${folded(text)} like any(${foldAll(values, foldText).map((word) => `${escapeLike(word)}%`)}::text[])`
    case 'more_than':
      return sql<SqlBool>`${numberOf(text)} > ${String(Number(limit))}::float8`
    case 'less_than':
      return sql<SqlBool>`${numberOf(text)} < ${String(Number(limit))}::float8`
    case 'before':
      return sql<SqlBool>`${dayIn(text)} < ${dayOf(limit) ?? ''} collate "C"`
    case 'after':
      return sql<SqlBool>`${dayIn(text)} > ${dayOf(limit) ?? ''} collate "C"`
  }
}

function folded(text: Sql<string | null>): Sql<string> {
  return sql`btrim(regexp_replace(fold_text(${text}), ' +', ' ', 'g'))`
}

/** Numbers are compared as such, other values as texts. */
function isAny(text: Sql<string | null>, wanted: string[]): Sql<SqlBool> {
  const numbers = wanted.filter((value) => String(Number(value)) === value)
  const number = numberOf(text)
  return sql<SqlBool>`case when abs(${number}) <= ${String(Number.MAX_SAFE_INTEGER)}::float8
    then ${number} = any(${numbers}::float8[]) else ${folded(text)} = any(${wanted}::text[]) end`
}
