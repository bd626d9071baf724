import { type RefObject, use, useContext, useRef } from 'react'
import { ComboBox as AriaComboBox, ComboBoxStateContext } from 'react-aria-components/ComboBox'
import { FieldError } from 'react-aria-components/FieldError'
import { Group } from 'react-aria-components/Group'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ChoiceList, type Option } from './ChoiceList.tsx'
import fieldStyles from './Field.module.css'
import type { FieldProps } from './Field.tsx'
import { Icon } from './Icon.tsx'
import inputStyles from './Input.module.css'
import { KitLabels } from './kit-labels.ts'

interface ComboBoxProps extends Omit<FieldProps, 'hint'> {
  /** All options; with `onSearch` the search results, including the selected one. */
  options: readonly Option[]
  value: string | null
  onChange: (value: string | null) => void
  /** Searches on the server. Without it the options themselves are searched. */
  onSearch?: (text: string) => void
  /** Shows a button that clears the selection. */
  clearable?: boolean
  /** Whether a search is running. */
  loading?: boolean
  disabled?: boolean
  autoFocus?: boolean
  placeholder?: string
  /** Marks the field as invalid; the message is shown elsewhere. */
  invalid?: boolean
}

/** A select with search, for many options. */
export function ComboBox(props: ComboBoxProps) {
  const { label, hideLabel, error, options, value, onChange, onSearch, clearable = false, ...rest } = props
  const { loading = false, disabled = false, autoFocus, placeholder, invalid = false } = rest
  const labels = use(KitLabels)
  const box = useRef<HTMLInputElement>(null)
  const chosen = options.find((option) => option.value === value)
  const clear = () => {
    onChange(null)
    box.current?.focus()
  }
  return (
    <AriaComboBox
      className={fieldStyles.field ?? ''}
      {...(hideLabel && { 'aria-label': label })}
      {...(onSearch ? { items: options } : { defaultItems: options })}
      value={value}
      onChange={(key) => (key !== null || clearable) && onChange(key === null ? null : String(key))}
      // The selected option's label in the field is not a search text.
      onInputChange={(text) => onSearch?.(text === chosen?.label ? '' : text)}
      isDisabled={disabled}
      isInvalid={invalid || !!error}
      allowsEmptyCollection
    >
      {!hideLabel && <Label className={fieldStyles.label ?? ''}>{label}</Label>}
      <Group className={inputStyles.box ?? ''}>
        <OpeningInput box={box} autoFocus={autoFocus} placeholder={placeholder} />
        {clearable && value !== null && !disabled && (
          <button type="button" className={inputStyles.tail} aria-label={labels.clear} onClick={clear}>
            <Icon name="close" size={14} />
          </button>
        )}
        <Icon name="chevron" size={14} className={inputStyles.arrow} />
      </Group>
      {error && <FieldError className={fieldStyles.error ?? ''}>{error}</FieldError>}
      <ChoiceList label={label} nothing={loading ? labels.loading : labels.nothing} />
    </AriaComboBox>
  )
}

interface InputProps {
  box: RefObject<HTMLInputElement | null>
  autoFocus?: boolean | undefined
  placeholder?: string | undefined
}

/** A press opens the list and selects the text, to be typed over. */
export function OpeningInput({ box, autoFocus = false, placeholder = '' }: InputProps) {
  const state = useContext(ComboBoxStateContext)
  const open = () => {
    box.current?.select()
    if (state && !state.isOpen) state.open(null, 'manual')
  }
  return <Input ref={box} onClick={open} autoFocus={autoFocus} placeholder={placeholder} />
}
