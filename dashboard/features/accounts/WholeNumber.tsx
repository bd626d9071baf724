import { Input } from 'antd'

interface WholeNumberProps {
  value: number
  disabled: boolean
  onChange: (value: number) => void
}

/** Takes whole numbers; whatever else is typed is as if it had not been. */
export function WholeNumber({ value, disabled, onChange }: WholeNumberProps) {
  return (
    <Input
      inputMode="numeric"
      disabled={disabled}
      value={String(value)}
      onChange={({ target }) => /^\d{0,5}$/.test(target.value) && onChange(Number(target.value))}
    />
  )
}
