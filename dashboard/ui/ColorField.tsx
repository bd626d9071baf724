import { useState } from 'react'
import styles from './ColorField.module.css'
import { readHex } from './color.ts'
import { TextField } from './TextField.tsx'

interface ColorFieldProps {
  label: string
  /** Colours to choose from with one click, as `#rrggbb`. */
  palette: readonly string[]
  words: { pick: string; hex: string; wrong: string }
  value: string
  onChange: (color: string) => void
  onBlur?: () => void
}

/** One of a few colours, or any other by its number. */
export function ColorField({ label, palette, words, value, onChange, onBlur }: ColorFieldProps) {
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
          aria-label={words.pick}
          value={hex ?? '#000000'}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
        <TextField
          hideLabel
          label={words.hex}
          value={typed ?? value}
          spellCheck={false}
          error={typed === undefined ? undefined : words.wrong}
          // What is no colour is not passed on, and stands there with the reason until it is one.
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
