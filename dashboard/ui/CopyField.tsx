import { Button } from './Button.tsx'
import styles from './CopyField.module.css'
import { copyText } from './clipboard.ts'
import { TextField } from './TextField.tsx'

interface CopyFieldProps {
  label: string
  value: string
  copyLabel: string
  /** Told whether it is on the clipboard now. */
  copied: (done: boolean) => void
}

/** A text to be taken elsewhere: read-only, with a button that copies it. */
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
