import styles from './SearchInput.module.css'
import { TextField } from './TextField.tsx'

interface SearchProps {
  label: string
  value: string
  onChange: (text: string) => void
  autoFocus?: boolean
}

/** The server's limit. */
const MAX_LENGTH = 200

/** The search field of a page. */
export function SearchInput({ label, value, onChange, autoFocus = false }: SearchProps) {
  return (
    <search className={styles.search}>
      <TextField
        hideLabel
        type="search"
        icon="search"
        label={label}
        placeholder={label}
        maxLength={MAX_LENGTH}
        autoFocus={autoFocus}
        value={value}
        onChange={onChange}
      />
    </search>
  )
}
