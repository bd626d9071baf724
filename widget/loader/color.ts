import { luminance, parseRgb, type Rgb } from '../contrast.ts'
import { DEFAULT_COLOR } from '../protocol.ts'

/** Any CSS color, or our default where it is missing or invalid. Old embeds leave out the `#`. */
export function readColor(host: HTMLElement, color: string | null | undefined): Rgb {
  // The browser parses the color in an unused property: an invalid value leaves the previous one.
  for (const tried of [DEFAULT_COLOR, `#${color}`, color || DEFAULT_COLOR]) host.style.caretColor = tried
  return parseRgb(getComputedStyle(host).caretColor) ?? parseRgb(DEFAULT_COLOR)!
}

export function writeColor(color: Rgb): string {
  return `rgb(${color})`
}

/** Whether the page is dark, whatever the visitor's system prefers. */
export function isDarkPage(): boolean {
  for (const element of [document.body, document.documentElement]) {
    const { backgroundColor } = getComputedStyle(element)
    const color = parseRgb(backgroundColor)
    if (color && backgroundColor !== 'rgba(0, 0, 0, 0)') return luminance(color) < 0.2
  }
  return false
}
