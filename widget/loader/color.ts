import { brandPair, formatColor, luminance, parseColor } from '../contrast.ts'
import { DEFAULT_COLOR } from '../protocol.ts'

/** Any color that CSS knows as `#rrggbb`, or our own when there is none. Old embeds leave out the `#`. */
export function readColor(color: string | null | undefined): string {
  const pen = document.createElement('canvas').getContext('2d')
  let known = parseColor(color)
  if (!known && color && pen) {
    pen.fillStyle = DEFAULT_COLOR
    pen.fillStyle = color
    known = parseColor(pen.fillStyle)
  }
  return known ? formatColor(known) : DEFAULT_COLOR
}

export function pairOf(color: string) {
  const { ground, text } = brandPair(parseColor(color)!)
  return { ground: formatColor(ground), text: formatColor(text) }
}

/** Whether the page around is dark, whatever the visitor's system prefers: a white window on it would glare. */
export function isDarkPage(): boolean {
  for (const element of [document.body, document.documentElement]) {
    const { backgroundColor } = getComputedStyle(element)
    const color = parseColor(backgroundColor)
    if (color && !/, 0\)$/.test(backgroundColor)) return luminance(color) < 0.2
  }
  return false
}
