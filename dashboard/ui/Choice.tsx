import { useId } from 'react'
import styles from './Choice.module.css'

interface ChoiceProps<Value extends string> {
  /** The label of the group, shown above unless `hideLegend`. */
  legend: string
  hideLegend?: boolean
  options: readonly { value: Value; label: string; disabled?: boolean; title?: string | undefined; swatch?: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** One of a few options, side by side, optionally with a color swatch. A radio group, so arrow keys work. */
export function Choice<Value extends string>({ legend, hideLegend, options, value, onChange }: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.choice}>
      <legend className={hideLegend ? 'unseen' : styles.legend}>{legend}</legend>
      <div className={styles.options} data-swatches={options.some(({ swatch }) => swatch) || undefined}>
        {options.map((option) => {
          const radio = {
            type: 'radio',
            name,
            checked: option.value === value,
            disabled: option.disabled,
            onChange: () => onChange(option.value),
          } as const
          if (option.swatch) {
            return (
              <input
                key={option.value}
                {...radio}
                className={styles.swatch}
                style={{ background: option.swatch }}
                aria-label={option.label}
                title={option.label}
              />
            )
          }
          return (
            <label
              key={option.value}
              className={styles.option}
              title={option.title}
              data-checked={radio.checked || undefined}
              data-disabled={radio.disabled || undefined}
            >
              <input {...radio} className="unseen" />
              <span>{option.label}</span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
