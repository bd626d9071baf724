import { useState } from 'react'
import styles from './ColorField.module.css'
import { readHex } from './color.ts'
import { TextField } from './TextField.tsx'

interface ColorFieldProps {
  label: string
  /** Suggested colors, as `#rrggbb`. */
  palette: readonly string[]
  labels: { pick: string; hex: string; wrong: string }
  value: string
  onChange: (color: string) => void
  onBlur?: () => void
}

/** Chooses one of a few colors, or any other by its hex code. */
export function ColorField({ label, palette, labels, value, onChange, onBlur }: ColorFieldProps) {
  const hex = readHex(value)
  const [typed, setTyped] = useState<string>()
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
          aria-label={labels.pick}
          value={hex ?? '#000000'}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
        <TextField
          hideLabel
          label={labels.hex}
          value={typed ?? value}
          spellCheck={false}
          error={typed === undefined ? undefined : labels.wrong}
          // An invalid color is not passed on; it stays in the field with an error.
          onChange={(text) => {
            const isColor = readHex(text) !== undefined
            setTyped(isColor ? undefined : text)
            if (isColor) onChange(text)
          }}
          onBlur={() => onBlur?.()}
        />
      </div>
    </fieldset>
  )
}
