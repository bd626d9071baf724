import styles from './LetterTile.module.css'

interface LetterTileProps {
  letter: string
  /** Dark enough for white letters. */
  color: string
}

/** A letter on a colored ground, in place of the sign of another company. */
export function LetterTile({ letter, color }: LetterTileProps) {
  return (
    <span className={styles.tile} style={{ background: color }} aria-hidden="true">
      {letter}
    </span>
  )
}
