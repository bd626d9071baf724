import type { ReactNode } from 'react'

interface ScrollRegionProps {
  label: string
  className?: string | undefined
  children: ReactNode
}

/** A scrollable region without controls, which is focusable so that arrow keys scroll it. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise it cannot be scrolled by keyboard
    <section className={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
