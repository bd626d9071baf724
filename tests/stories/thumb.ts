import type { Page } from '@playwright/test'

/** A small phone, used by touch. */
export const SMALL_PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true } as const

/**
 * What a thumb cannot use on the screen: content wider than it, and controls that are smaller than 44 pixels. As in
 * WCAG 2.5.5 and 2.5.8, links within a text may be smaller, and so may those that no other control is near.
 */
export function listUnreachable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const SIZE = 44
    const CONTROLS = 'a[href], button, input, select, textarea, summary, [role=button], [role=option], [role^=menuitem]'
    /** The control that a press on this element uses; a label is a part of its control. */
    const owner = (element: Element | null): Element | null =>
      element?.closest('label')?.control ?? element?.closest(CONTROLS) ?? null
    const hitAt = (x: number, y: number) => owner(document.elementFromPoint(x, y))
    const isHidden = (element: Element) =>
      !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
      element.closest('[inert], .unseen, [aria-hidden=true]') !== null ||
      getComputedStyle(element).pointerEvents === 'none'

    /** How far the target goes on from its middle in a direction, up to half of the wanted size. */
    function reach(target: Element, x: number, y: number, dx: number, dy: number): number {
      let length = 0
      while (length < SIZE / 2 && hitAt(x + dx * (length + 1), y + dy * (length + 1)) === target) length++
      return length
    }

    function sizeOf(target: Element, x: number, y: number): { width: number; height: number } {
      const width = 1 + reach(target, x, y, -1, 0) + reach(target, x, y, 1, 0)
      const height = 1 + reach(target, x, y, 0, -1) + reach(target, x, y, 0, 1)
      return { width, height }
    }

    /** Whether no other control begins within the wanted size around the middle. */
    function isAlone(target: Element, x: number, y: number): boolean {
      const half = SIZE / 2 - 1
      const points = [-half, 0, half].flatMap((dx) => [-half, 0, half].map((dy) => hitAt(x + dx, y + dy)))
      return points.every((hit) => hit === null || hit === target)
    }

    /** Whether only a part of it is on screen, at an edge of what scrolls. */
    function isCut(target: Element, box: DOMRect): boolean {
      for (let around = target.parentElement; around; around = around.parentElement) {
        if (getComputedStyle(around).overflowY === 'visible') continue
        const { top, bottom } = around.getBoundingClientRect()
        if (box.top < top || box.bottom > bottom) return true
      }
      return box.bottom > window.innerHeight
    }

    function isInText(element: Element): boolean {
      const around = element.parentElement?.textContent?.trim() ?? ''
      return element.matches('a[href]') && around.length > (element.textContent?.trim() ?? '').length
    }

    const findings: string[] = []
    const wider = document.documentElement.scrollWidth - window.innerWidth
    if (wider > 0) findings.push(`the page is ${wider} pixels wider than the screen`)
    for (const element of document.querySelectorAll(CONTROLS)) {
      if (isHidden(element)) continue
      const target = owner(element)!
      const box = (target.closest('label') ?? target).getBoundingClientRect()
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      // What is scrolled away or covered cannot be pressed now.
      if (hitAt(x, y) !== target) continue
      if (isCut(target, box)) continue
      const { width, height } = sizeOf(target, x, y)
      // The border of a field is its parent's.
      if (width >= SIZE - 2 && height >= SIZE - 2) continue
      if (isInText(element)) continue
      if (element.matches('a[href]') && isAlone(target, x, y)) continue
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
      findings.push(`${element.tagName.toLowerCase()} “${name.slice(0, 40)}” ${width} × ${height}`)
    }
    return [...new Set(findings)]
  })
}
