import { Button } from './Button.tsx'
import styles from './Pager.module.css'

interface PagerProps {
  page: number
  pages: number
  turn: (page: number) => void
  words: { label: string; previous: string; next: string; position: string }
}

/** Page navigation of a table. Renders nothing for a single page. */
export function Pager({ page, pages, turn, words }: PagerProps) {
  return (
    <nav className={styles.pager} aria-label={words.label}>
      <span role="status">{words.position}</span>
      {pages > 1 && (
        <span className={styles.buttons}>
          <Button disabled={page <= 1} onClick={() => turn(page - 1)}>
            {words.previous}
          </Button>
          <Button disabled={page >= pages} onClick={() => turn(page + 1)}>
            {words.next}
          </Button>
        </span>
      )}
    </nav>
  )
}
