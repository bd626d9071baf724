import type { Caller } from '../caller.ts'

interface Fields {
  account_id: string
  user_id: number
  customer_id: string
  session_id: string
}

/** Selects callers by field values. At least one field is needed: none would select everyone. */
export type CallerFilter = { [Field in keyof Fields]: Pick<Fields, Field> & Partial<Fields> }[keyof Fields]

/** Whether a filter selects a caller; fields it leaves out match all. */
export function matches(caller: Caller, filter: CallerFilter): boolean {
  const fields: Partial<Record<string, unknown>> = { ...caller }
  const conditions = Object.entries(filter)
  return conditions.length > 0 && conditions.every(([field, value]) => fields[field] === value)
}
