import type { ReactNode } from 'react'
import { Pill } from '../../ui/Pill.tsx'

/** Marks a feature as early access beside its title. */
export function EarlyAccess({ word, children }: { word: string; children?: ReactNode }) {
  return (
    <>
      <Pill tone="note">{word}</Pill> {children}
    </>
  )
}
