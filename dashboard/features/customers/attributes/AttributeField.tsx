import type { TFunction } from 'i18next'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import type { FieldProps } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { TextField } from '../../../ui/TextField.tsx'

interface AttributeFieldProps extends FieldProps, Pick<ComponentProps<'input'>, 'autoFocus'> {
  attribute: Pick<AttributeDefinition, 'kind' | 'choices'>
  /** The value as a text; empty for none. */
  value: string
  onChange: (value: string) => void
}

const TYPES = { text: 'text', number: 'text', date: 'date', link: 'url' } as const

/** A field for a value of an attribute, by its kind. */
export function AttributeField({ attribute: { kind, choices }, value, ...rest }: AttributeFieldProps) {
  const { t } = useTranslation()
  if (kind !== 'yes_no' && kind !== 'choice')
    return (
      <TextField
        type={TYPES[kind]}
        inputMode={kind === 'number' ? 'decimal' : undefined}
        placeholder={kind === 'link' ? 'https://' : undefined}
        value={value}
        {...rest}
      />
    )
  const named = kind === 'choice' ? choices.map((choice) => ({ value: choice, label: choice })) : yesAndNo(t)
  // A value that cannot be chosen stays until somebody chooses another one.
  const isOther = value !== '' && !named.some((option) => option.value === value)
  const options = [{ value: '', label: t('attributes.none') }, ...named, ...(isOther ? [{ value, label: value }] : [])]
  return <Select options={options} value={value} {...rest} />
}

function yesAndNo(t: TFunction) {
  return [
    { value: 'true', label: t('yes') },
    { value: 'false', label: t('no') },
  ]
}
