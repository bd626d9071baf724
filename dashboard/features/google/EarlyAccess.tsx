import type { ReactNode } from 'react'
import { Pill } from '../../ui/Pill.tsx'

/** Marks a feature as early beside its title, with what else stands there. */
export function EarlyAccess({ word, children }: { word: string; children?: ReactNode }) {
  return (
    <>
      <Pill tone="note">{word}</Pill> {children}
    </>
  )
}
