import { DelayedFallback } from './DelayedFallback.tsx'
import styles from './Skeleton.module.css'

/** A placeholder for a line of text. Sizes are CSS lengths or pixels. */
export function Bone({ width = '100%', height = 10, round = false }: BoneProps) {
  return <span className={styles.bone} data-round={round || undefined} style={{ width, height }} />
}

interface BoneProps {
  width?: number | string
  height?: number | string
  round?: boolean
}

const WIDTHS = ['62%', '48%', '70%', '55%', '40%', '66%', '52%']

/** Placeholder rows of a list: a disc and two lines each. */
export function ListSkeleton({ rows = 7, label }: { rows?: number; label: string }) {
  return (
    <DelayedFallback>
      <div className={styles.rows} role="status" aria-label={label}>
        {WIDTHS.slice(0, rows).map((width) => (
          <div key={width} className={styles.row}>
            <Bone width={32} height={32} round />
            <div className={styles.lines}>
              <Bone width={width} />
              <Bone width="88%" height={8} />
            </div>
          </div>
        ))}
      </div>
    </DelayedFallback>
  )
}

const BUBBLES = [
  ['left', '46%'],
  ['right', '38%'],
  ['left', '58%'],
  ['left', '30%'],
  ['right', '52%'],
] as const

/** Placeholder bubbles of a thread. */
export function ThreadSkeleton({ label }: { label: string }) {
  return (
    // Takes its space at once, so that nothing moves below it.
    <div className={styles.thread}>
      <DelayedFallback>
        <div className={styles.bubbles} role="status" aria-label={label}>
          {BUBBLES.map(([side, width]) => (
            <div key={width} className={styles.bubble} data-side={side} style={{ width }} />
          ))}
        </div>
      </DelayedFallback>
    </div>
  )
}
