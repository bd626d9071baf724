import type { ReactNode } from 'react'

interface ScrollRegionProps {
  label: string
  className?: string | undefined
  children: ReactNode
}

/** Something that scrolls and holds nothing to press: it is reached by keyboard itself, so that arrow keys scroll it. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: nothing in it could be reached otherwise
    <section className={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
