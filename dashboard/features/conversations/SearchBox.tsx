import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/Icon.tsx'
import styles from './SearchBox.module.css'

const DEBOUNCE_MS = 400

/** Searches the messages of the view a moment after typing stops. */
export function SearchBox({ search }: { search: (q: string) => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const type = (typed: string) => {
    setText(typed)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => search(typed.trim()), typed.trim() ? DEBOUNCE_MS : 0)
  }
  return (
    <search className={styles.box}>
      <Icon name="search" size={16} />
      <input
        type="search"
        value={text}
        placeholder={t('list.search')}
        aria-label={t('list.search')}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && type('')}
      />
    </search>
  )
}
