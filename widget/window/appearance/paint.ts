import { brandPair, formatColor, parseColor, type Rgb, readableOn } from '../../contrast.ts'
import { DEFAULT_COLOR } from '../../protocol.ts'

/** The grounds of what is pointed at, a step away from the paper. What can be read there can be read everywhere. */
const SUNKEN: Rgb = [243, 244, 245]
const SUNKEN_NIGHT: Rgb = [42, 49, 57]
const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

/** Gives the page its brand color, corrected so that everything on it and in it can be read. */
export function paint(root: HTMLElement, color: string | undefined, isDark: boolean) {
  const brand = parseColor(color) ?? parseColor(DEFAULT_COLOR)!
  const { ground, text } = brandPair(brand)
  const accent = isDark ? readableOn(brand, SUNKEN_NIGHT, WHITE) : readableOn(brand, SUNKEN, BLACK)
  root.dataset.theme = isDark ? 'dark' : 'light'
  root.style.setProperty('--brand', formatColor(ground))
  root.style.setProperty('--on-brand', formatColor(text))
  root.style.setProperty('--accent', formatColor(accent))
}
