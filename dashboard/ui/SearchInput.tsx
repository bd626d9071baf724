import { Input } from 'antd'
import { Icon } from './Icon.tsx'
import styles from './SearchInput.module.css'

interface SearchProps {
  label: string
  value: string
  onChange: (text: string) => void
}

/** More than anybody searches for, and no more than the server takes. */
const LONGEST = 200

/** The search of a page. */
export function SearchInput({ label, value, onChange }: SearchProps) {
  return (
    <search className={styles.search}>
      <Input
        type="search"
        prefix={<Icon name="search" size={16} />}
        placeholder={label}
        aria-label={label}
        maxLength={LONGEST}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </search>
  )
}
