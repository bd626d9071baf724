import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import styles from './SearchBox.module.css'

const SearchHints = lazyComponent(
  async () => (await import('../../../features/conversations/search/SearchHints.tsx')).SearchHints,
)

interface SearchBoxProps {
  text: string
  write: (text: string) => void
}

/** The search box. Suggestions are shown below it until something is typed. */
export function SearchBox({ text, write }: SearchBoxProps) {
  const { t } = useTranslation()
  const [hinting, setHinting] = useState(false)
  return (
    <search
      className={styles.box}
      onFocus={() => setHinting(true)}
      onBlur={(event) => setHinting(event.currentTarget.contains(event.relatedTarget))}
    >
      <Icon name="search" size={16} />
      <input
        type="search"
        value={text}
        placeholder={t('list.search')}
        aria-label={t('list.search')}
        onChange={(event) => {
          setHinting(true)
          write(event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
          setHinting(false)
          write('')
        }}
      />
      {hinting && (
        <Suspense fallback={null}>
          <SearchHints text={text} write={write} />
        </Suspense>
      )}
    </search>
  )
}
