import { Button } from './Button.tsx'
import styles from './CopyField.module.css'
import { copyText } from './clipboard.ts'
import { TextField } from './TextField.tsx'

interface CopyFieldProps {
  label: string
  value: string
  copyLabel: string
  /** Called with whether copying succeeded. */
  copied: (done: boolean) => void
}

/** A read-only text with a copy button. */
export function CopyField({ label, value, copyLabel, copied }: CopyFieldProps) {
  return (
    <div className={styles.copy}>
      <TextField
        readOnly
        hideLabel
        label={label}
        value={value}
        onChange={() => undefined}
        onFocus={({ target }) => target.select()}
      />
      <Button onClick={async () => copied(await copyText(value))}>{copyLabel}</Button>
    </div>
  )
}
