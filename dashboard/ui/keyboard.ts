/** Less than this is not a keyboard but a bar of the browser, in pixels. */
const KEYBOARD_MIN = 120

/**
 * Keeps what is on screen above the keyboard of phones: where a keyboard covers the page instead of shrinking it, as on
 * iOS, the height that stays visible is in `--visible-height`.
 */
export function trackKeyboard() {
  const viewport = window.visualViewport
  viewport?.addEventListener('resize', () => {
    const { style } = document.documentElement
    // Enlarging the page with two fingers shrinks the viewport as well.
    const isKeyboard = viewport.scale === 1 && window.innerHeight - viewport.height > KEYBOARD_MIN
    if (!isKeyboard) return style.removeProperty('--visible-height')
    style.setProperty('--visible-height', `${viewport.height}px`)
    // The browser has scrolled the page to show the focused field, which the smaller page shows anyway.
    window.scrollTo(0, 0)
  })
}
