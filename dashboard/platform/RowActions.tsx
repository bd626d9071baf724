import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/Button.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './RowActions.module.css'

interface ActionsProps {
  /** What the row is about. */
  name: string
  order: {
    up: string
    down: string
    /** The index of the row, and the number of rows. */
    at: number
    count: number
    disabled: boolean
    move: (by: -1 | 1) => void
  }
  edit: () => void
  /** Asked before it is deleted. */
  question: string
  remove: () => Promise<void>
  /** Further buttons. */
  children?: ReactNode
}

/** What can be done with a row of an ordered table: move it, edit it, delete it. */
export function RowActions({ name, order, edit, question, remove, children }: ActionsProps) {
  const { t } = useTranslation()
  const { up, down, at, count, disabled, move } = order
  return (
    <div className={styles.actions}>
      <span className={styles.up}>
        <IconButton icon="chevron" label={up} disabled={at === 0 || disabled} onClick={() => move(-1)} />
      </span>
      <IconButton icon="chevron" label={down} disabled={at === count - 1 || disabled} onClick={() => move(1)} />
      {children}
      <Button variant="text" size="small" aria-label={`${t('edit')} ${name}`} onClick={edit}>
        {t('edit')}
      </Button>
      <Confirm question={question} yes={t('yes')} no={t('no')} run={remove}>
        <Button variant="text" size="small" aria-label={`${t('delete')} ${name}`}>
          {t('delete')}
        </Button>
      </Confirm>
    </div>
  )
}
