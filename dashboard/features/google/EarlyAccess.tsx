import type { ReactNode } from 'react'
import { Pill } from '../../ui/Pill.tsx'

/** Says beside a title that something is young, with what else stands there. */
export function EarlyAccess({ word, children }: { word: string; children?: ReactNode }) {
  return (
    <>
      <Pill tone="note">{word}</Pill> {children}
    </>
  )
}
