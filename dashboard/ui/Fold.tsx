import { type ReactNode, useState } from 'react'
import { storage } from '../platform/storage.ts'
import styles from './Fold.module.css'
import { Icon } from './Icon.tsx'

interface FoldProps {
  /** The key under which this browser stores whether it is collapsed. */
  name: string
  title: string
  /** The number of items, shown beside the title. */
  count?: number
  action?: ReactNode
  children: ReactNode
}

/** A collapsible section whose state is stored. */
export function Fold({ name, title, count, action, children }: FoldProps) {
  const key = `folded:${name}`
  const [isOpen, setOpen] = useState(() => storage.getItem(key) === null)
  function turn() {
    if (isOpen) storage.setItem(key, '1')
    else storage.removeItem(key)
    setOpen(!isOpen)
  }
  return (
    <section className={styles.fold} aria-label={title}>
      <header className={styles.head}>
        <h3>
          <button type="button" className={styles.title} aria-expanded={isOpen} onClick={turn}>
            {title}
            {!!count && <span className={styles.count}>{count}</span>}
            <Icon name="chevron" size={14} />
          </button>
        </h3>
        {action}
      </header>
      {isOpen && <div className={styles.body}>{children}</div>}
    </section>
  )
}
