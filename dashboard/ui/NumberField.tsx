import { TextField, type TextFieldProps } from './TextField.tsx'

interface NumberFieldProps extends Pick<TextFieldProps, 'label' | 'hideLabel' | 'hint' | 'error' | 'disabled'> {
  value: number
  onChange: (value: number) => void
}

/** A field for a whole number of up to five digits; other input is ignored. */
export function NumberField({ value, onChange, ...rest }: NumberFieldProps) {
  return (
    <TextField
      inputMode="numeric"
      value={String(value)}
      onChange={(text) => /^\d{0,5}$/.test(text) && onChange(Number(text))}
      {...rest}
    />
  )
}
