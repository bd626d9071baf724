import { type ReactNode, useId } from 'react'
import styles from './Tabs.module.css'

interface TabsProps<Name extends string> {
  label: string
  tabs: readonly { name: Name; title: string; count?: number }[]
  current: Name
  choose: (name: Name) => void
  /** The content of the current tab. */
  children: ReactNode
}

/** Tabs. Arrow keys move between them. */
export function Tabs<Name extends string>({ label, tabs, current, choose, children }: TabsProps<Name>) {
  const id = useId()
  function walk(key: string) {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
    const at = tabs.findIndex(({ name }) => name === current)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (step === 0 || !next) return
    choose(next.name)
    document.getElementById(`${id}-${next.name}`)?.focus()
  }
  return (
    <div className={styles.tabs}>
      <div role="tablist" className={styles.list} aria-label={label}>
        {tabs.map(({ name, title, count }) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === current}
            aria-controls={`${id}-panel`}
            tabIndex={name === current ? 0 : -1}
            onClick={() => choose(name)}
            onKeyDown={(event) => walk(event.key)}
          >
            {title}
            {!!count && <span className={styles.count}>{count}</span>}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${current}`} className={styles.panel}>
        {children}
      </div>
    </div>
  )
}
