import type { ReactNode } from 'react'

const lines: Record<string, ReactNode> = {
  /** A cup by a window: all done. */
  rest: (
    <>
      <path d="M34 84h92" />
      <path d="M58 50h34v20a14 14 0 0 1-14 14h-6a14 14 0 0 1-14-14V50Z" />
      <path d="M92 56h5a8 8 0 0 1 0 16h-6" />
      <path d="M68 40c-4-5 4-8 0-14m14 14c-4-5 4-8 0-14" data-accent />
      <path d="M112 84V62m0 0c0-8 5-12 11-12 0 8-4 12-11 12Zm0 6c0-7-5-10-10-10" />
    </>
  ),
  /** Two speech bubbles, one of them empty. */
  talk: (
    <>
      <path d="M36 30h52a8 8 0 0 1 8 8v18a8 8 0 0 1-8 8H58L46 74V64H36a8 8 0 0 1-8-8V38a8 8 0 0 1 8-8Z" />
      <path d="M42 43h38M42 51h24" />
      <path d="M106 48h18a8 8 0 0 1 8 8v16a8 8 0 0 1-8 8h-5v9l-11-9H86a8 8 0 0 1-8-8v-1" data-accent />
    </>
  ),
  /** A page with a folded corner and a path. */
  soon: (
    <>
      <path d="M52 22h40l16 16v48a4 4 0 0 1-4 4H52a4 4 0 0 1-4-4V26a4 4 0 0 1 4-4Z" />
      <path d="M92 22v16h16" />
      <path d="M60 52h20m-20 10h30" />
      <path d="M60 76c8-8 12 6 20-1s10-4 16-3" data-accent strokeDasharray="1 6" />
    </>
  ),
  /** An unplugged cable. */
  apart: (
    <>
      <path d="M24 62h26m60 0h26" />
      <path d="M50 52h10a10 10 0 0 1 0 20H50V52Zm20 5h-2m2 10h-2" />
      <path d="M110 50h-8a12 12 0 0 0 0 24h8V50Z" />
      <path d="m80 42 3-8m5 12 8-6m-13 42 3 8" data-accent />
    </>
  ),
  /** A signpost. */
  lost: (
    <>
      <path d="M80 24v66M60 90h40" />
      <path d="M80 30h32l8 8-8 8H80V30Z" />
      <path d="M80 52H50l-8 7 8 7h30V52Z" data-accent />
    </>
  ),
}

export type DrawingName = 'rest' | 'talk' | 'soon' | 'apart' | 'lost'
export const DRAWINGS: DrawingName[] = ['rest', 'talk', 'soon', 'apart', 'lost']

/** A line drawing for empty states. */
export function Drawing({ name, width = 160 }: { name: DrawingName; width?: number }) {
  return (
    <svg
      className="drawing"
      width={width}
      height={(width * 112) / 160}
      viewBox="0 0 160 112"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {lines[name]}
    </svg>
  )
}
