import type { Caller } from '../caller.ts'

interface Fields {
  account_id: string
  user_id: number
  customer_id: string
  session_id: string
}

/** The callers for whom every given field is equal. At least one is needed: none would mean everyone. */
export type CallerFilter = { [Field in keyof Fields]: Pick<Fields, Field> & Partial<Fields> }[keyof Fields]

/** Whether a caller is among those that a filter names; what it leaves out matches all. */
export function matches(caller: Caller, filter: CallerFilter): boolean {
  const fields: Partial<Record<string, unknown>> = { ...caller }
  const asked = Object.entries(filter)
  return asked.length > 0 && asked.every(([field, value]) => fields[field] === value)
}
