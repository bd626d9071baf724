import { type KeyboardEvent, use, useRef, useState } from 'react'
import { ComboBox } from 'react-aria-components/ComboBox'
import { Group } from 'react-aria-components/Group'
import { Label } from 'react-aria-components/Label'
import { ChoiceList, type Option } from './ChoiceList.tsx'
import { OpeningInput } from './ComboBox.tsx'
import fieldStyles from './Field.module.css'
import type { FieldProps } from './Field.tsx'
import { Icon } from './Icon.tsx'
import inputStyles from './Input.module.css'
import { KitLabels } from './kit-labels.ts'
import styles from './MultiSelect.module.css'

interface MultiSelectProps extends Pick<FieldProps, 'label' | 'hideLabel'> {
  options: readonly Option[]
  value: readonly string[]
  onChange: (value: string[]) => void
  /** Other values may be added: with Enter, a comma, or by leaving the field. */
  allowsNew?: boolean
  /** Opens above the field, for fields at the bottom of a dialog. */
  above?: boolean
  loading?: boolean
  disabled?: boolean
  autoFocus?: boolean
  placeholder?: string
}

/** A select for several options, with search. Selected ones are shown in the field and can be removed there. */
export function MultiSelect(props: MultiSelectProps) {
  const { label, hideLabel, options, value, onChange, allowsNew = false, loading = false, ...rest } = props
  const { disabled = false, autoFocus, placeholder, above = false } = rest
  const labels = use(KitLabels)
  const box = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const add = (typed: string) => {
    const fresh = typed
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '' && !value.includes(word))
    if (fresh.length > 0) onChange([...value, ...new Set(fresh)])
    setText('')
  }
  const write = (typed: string) => (allowsNew && typed.includes(',') ? add(typed) : setText(typed))
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== box.current || event.nativeEvent.isComposing) return
    if (event.key === 'Backspace' && text === '') onChange(value.slice(0, -1))
    // The combo box would choose the highlighted option, which without a text nobody has looked for.
    if (event.key === 'Tab' && text === '') event.stopPropagation()
    // If an option is highlighted, Enter chooses that one.
    const isMarked = box.current?.getAttribute('aria-activedescendant')
    if (event.key !== 'Enter' || !allowsNew || text.trim() === '' || isMarked) return
    event.preventDefault()
    event.stopPropagation()
    add(text)
  }
  return (
    <ComboBox
      className={fieldStyles.field ?? ''}
      {...(hideLabel && { 'aria-label': label })}
      selectionMode="multiple"
      defaultItems={options}
      value={value}
      onChange={(keys) => {
        onChange(keys.map(String))
        setText('')
      }}
      inputValue={text}
      onInputChange={write}
      onBlur={() => allowsNew && add(text)}
      isDisabled={disabled}
      allowsEmptyCollection={!allowsNew}
      allowsCustomValue={allowsNew}
    >
      {!hideLabel && <Label className={fieldStyles.label ?? ''}>{label}</Label>}
      <Group className={`${inputStyles.box} ${styles.box}`} onKeyDownCapture={press}>
        {value.map((chosen) => (
          <Chosen
            key={chosen}
            option={options.find(({ value }) => value === chosen) ?? { value: chosen, label: chosen }}
            disabled={disabled}
            remove={() => {
              onChange(value.filter((other) => other !== chosen))
              box.current?.focus()
            }}
          />
        ))}
        <OpeningInput box={box} autoFocus={autoFocus} placeholder={value.length === 0 ? placeholder : ''} />
        <Icon name="chevron" size={14} className={inputStyles.arrow} />
      </Group>
      <ChoiceList label={label} nothing={loading ? labels.loading : labels.nothing} above={above} />
    </ComboBox>
  )
}

function Chosen({ option, disabled, remove }: { option: Option; disabled: boolean; remove: () => void }) {
  const labels = use(KitLabels)
  return (
    <span className={styles.chosen}>
      {option.swatch && <span className={styles.swatch} style={{ background: option.swatch }} />}
      <span className={styles.name}>{option.label}</span>
      <button type="button" disabled={disabled} aria-label={labels.remove(option.label)} onClick={remove}>
        <Icon name="close" size={12} />
      </button>
    </span>
  )
}
