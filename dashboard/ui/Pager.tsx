import { Button } from './Button.tsx'
import styles from './Pager.module.css'

interface PagerProps {
  page: number
  pages: number
  turn: (page: number) => void
  labels: { label: string; previous: string; next: string; position: string }
}

/** Page navigation of a table. Renders nothing for a single page. */
export function Pager({ page, pages, turn, labels }: PagerProps) {
  return (
    <nav className={styles.pager} aria-label={labels.label}>
      <span role="status">{labels.position}</span>
      {pages > 1 && (
        <span className={styles.buttons}>
          <Button disabled={page <= 1} onClick={() => turn(page - 1)}>
            {labels.previous}
          </Button>
          <Button disabled={page >= pages} onClick={() => turn(page + 1)}>
            {labels.next}
          </Button>
        </span>
      )}
    </nav>
  )
}
