import styles from './FileField.module.css'

interface FileFieldProps {
  label: string
  /** As in HTML: `.csv,text/csv`. */
  accept: string
  /** Called with the chosen file; undefined if the choice was taken back. */
  choose: (file: File | undefined) => void
  disabled: boolean
  hint?: string
}

/** Chooses one file, which is taken at once. */
export function FileField({ label, accept, choose, disabled, hint }: FileFieldProps) {
  return (
    <label className={styles.file}>
      <span>{label}</span>
      <input type="file" accept={accept} disabled={disabled} onChange={(event) => choose(event.target.files?.[0])} />
      {hint && <span className={styles.hint}>{hint}</span>}
    </label>
  )
}
