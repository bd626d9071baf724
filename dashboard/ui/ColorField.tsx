import styles from './ColorField.module.css'
import { readHex } from './color.ts'
import { TextField } from './TextField.tsx'

interface ColorFieldProps {
  label: string
  /** Colours to choose from with one click, as `#rrggbb`. */
  palette: readonly string[]
  words: { pick: string; hex: string }
  value: string
  onChange: (color: string) => void
  onBlur?: () => void
}

/** One of a few colours, or any other by its number. */
export function ColorField({ label, palette, words, value, onChange, onBlur }: ColorFieldProps) {
  const hex = readHex(value)
  return (
    <fieldset className={styles.colors}>
      <legend>{label}</legend>
      <div className={styles.palette}>
        {palette.map((color) => (
          <button
            key={color}
            type="button"
            className={styles.swatch}
            style={{ background: color }}
            aria-label={color}
            aria-pressed={hex === color}
            onClick={() => onChange(color)}
          />
        ))}
      </div>
      <div className={styles.hex}>
        <input
          type="color"
          aria-label={words.pick}
          value={hex ?? '#000000'}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
        <TextField
          hideLabel
          label={words.hex}
          value={value}
          spellCheck={false}
          onChange={onChange}
          onBlur={() => onBlur?.()}
        />
      </div>
    </fieldset>
  )
}
