import { brandPair, formatColor, parseColor, type Rgb, readableOn } from '../../contrast.ts'
import { DEFAULT_COLOR } from '../../protocol.ts'

/** The hover background, slightly darker or lighter than the page. A color readable on it is readable everywhere. */
const SUNKEN: Rgb = [243, 244, 245]
const SUNKEN_NIGHT: Rgb = [42, 49, 57]
const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

/** Sets the brand color of the page, adjusted so that text on it and text in it have enough contrast. */
export function paint(root: HTMLElement, color: string | undefined, isDark: boolean) {
  const brand = parseColor(color) ?? parseColor(DEFAULT_COLOR)!
  const { ground, text } = brandPair(brand)
  const accent = isDark ? readableOn(brand, SUNKEN_NIGHT, WHITE) : readableOn(brand, SUNKEN, BLACK)
  root.dataset.theme = isDark ? 'dark' : 'light'
  root.style.setProperty('--brand', formatColor(ground))
  root.style.setProperty('--on-brand', formatColor(text))
  root.style.setProperty('--accent', formatColor(accent))
}
