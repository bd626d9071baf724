import { DATED, NUMERIC } from '#contract/conversations/attribute-conditions.ts'
import { TextField } from '../../../ui/TextField.tsx'

/** Whether an operator compares with one number or day, instead of with any of several values. */
export function comparesOne(operator: string): boolean {
  return DATED.includes(operator) || NUMERIC.includes(operator)
}

interface ValueProps {
  operator: string
  label: string
  values: readonly string[]
  onChange: (values: string[]) => void
}

/** The number or the day that an operator compares with. */
export function OneValueField({ operator, label, values, onChange }: ValueProps) {
  return (
    <TextField
      label={label}
      hideLabel
      {...(DATED.includes(operator) ? { type: 'date' } : { inputMode: 'decimal' })}
      value={values[0] ?? ''}
      onChange={(value) => onChange(value ? [value] : [])}
    />
  )
}
