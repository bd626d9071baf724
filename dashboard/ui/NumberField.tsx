import { TextField, type TextFieldProps } from './TextField.tsx'

interface NumberFieldProps extends Pick<TextFieldProps, 'label' | 'hideLabel' | 'hint' | 'error' | 'disabled'> {
  value: number
  onChange: (value: number) => void
}

/** A labelled whole number of up to five digits; whatever else is typed is as if it had not been. */
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
