/** Red, green and blue, each from 0 to 255. */
export type Rgb = readonly [number, number, number]

/** The lowest contrast between text and background that WCAG AA accepts. */
const READABLE = 4.5
/** Below this, white text would need a background so dark that the brand is no longer recognizable. */
const NEARLY_READABLE = 2.6

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

/** Reads `1890ff`, `#1890ff`, `#19f` or `rgb(24, 144, 255)`; undefined for anything else. */
export function parseColor(text: string | null | undefined): Rgb | undefined {
  const color = text?.trim() ?? ''
  const [, short, long] = /^#?(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(color) ?? []
  const hex = long ?? short?.replace(/./g, '$&$&')
  if (hex) return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb
  return parseRgb(color)
}

/** Reads a computed color: `rgb(24, 144, 255)`, with or without an alpha value, which is ignored. */
export function parseRgb(text: string): Rgb | undefined {
  const numbers = /^rgba?\((\d+), ?(\d+), ?(\d+)/.exec(text)
  return numbers ? (numbers.slice(1).map(Number) as unknown as Rgb) : undefined
}

export function formatColor(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** Relative luminance as WCAG defines it, from 0 (black) to 1 (white). */
export function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 (the same) to 21 (black on white). */
export function contrast(first: Rgb, second: Rgb): number {
  const [dark, light] = [luminance(first), luminance(second)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Moves a color towards another in small steps until it has enough contrast for text on the background. */
export function readableOn(color: Rgb, ground: Rgb, towards: Rgb): Rgb {
  let moved = color
  for (let share = 0.02; contrast(moved, ground) < READABLE && share <= 1; share += 0.02) {
    moved = color.map((part, i) => Math.round(part + (towards[i]! - part) * share)) as unknown as Rgb
  }
  return moved
}

/**
 * A brand color as a background, and the color of text on it. White text where a slightly darker shade allows it, as
 * most brands use it; black on light colors.
 */
export function brandPair(color: Rgb): { ground: Rgb; text: Rgb } {
  if (contrast(color, WHITE) < NEARLY_READABLE) return { ground: color, text: BLACK }
  return { ground: readableOn(color, WHITE, BLACK), text: WHITE }
}
