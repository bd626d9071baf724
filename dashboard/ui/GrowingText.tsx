import { type ComponentProps, type RefObject, useLayoutEffect, useRef } from 'react'
import styles from './GrowingText.module.css'

const MAX_ROWS = 4

interface GrowingTextProps
  extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'className' | 'rows' | 'dir' | 'ref'> {
  box?: RefObject<HTMLTextAreaElement | null>
  value: string
  onChange: (value: string) => void
  /** Also the accessible name. */
  placeholder: string
}

/** A text field of two rows that grows to four, then scrolls. */
export function GrowingText({ box: outerBox, value, onChange, placeholder, ...rest }: GrowingTextProps) {
  const own = useRef<HTMLTextAreaElement>(null)
  const box = outerBox ?? own
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    element.style.height = 'auto'
    const needed = value === '' ? 0 : element.scrollHeight
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(element)
    const maxHeight =
      Number.parseFloat(lineHeight) * MAX_ROWS + Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom)
    if (needed > 0) element.style.height = `${Math.min(needed, maxHeight)}px`
  }, [box, value])
  return (
    <textarea
      ref={box}
      className={styles.box}
      rows={2}
      dir="auto"
      value={value}
      placeholder={placeholder}
      aria-label={placeholder}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    />
  )
}
