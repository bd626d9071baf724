import { describe, expect, it } from 'vitest'
import { AVATAR_COLORS, type ColorName, colors, type Scheme } from './tokens.ts'

const READ_ON: [ColorName, ColorName[]][] = [
  ['ink-strong', ['page', 'sunken', 'panel', 'raised', 'hover', 'own-ground', 'accent-ground']],
  ['ink', ['page', 'sunken', 'panel', 'raised', 'hover', 'own-ground', 'accent-ground']],
  ['ink-quiet', ['page', 'sunken', 'panel', 'raised', 'hover', 'own-ground', 'accent-ground']],
  ['accent', ['page', 'sunken', 'panel', 'raised', 'hover', 'accent-ground']],
  ['accent-strong', ['accent-ground', 'panel']],
  ['on-accent', ['accent', 'accent-strong', 'danger', 'danger-ink']],
  ['tooltip-ink', ['tooltip-ground']],
  ['note-ink', ['note-ground']],
  ['bot-ink', ['bot-ground', 'page']],
  ['danger-ink', ['danger-ground', 'page', 'panel', 'raised']],
  ['success-ink', ['success-ground', 'panel', 'sunken']],
  ['warning-ink', ['warning-ground', 'panel', 'sunken']],
]

describe.each(['light', 'dark'] as Scheme[])('the %s palette', (scheme) => {
  const palette = colors[scheme]

  it.each(READ_ON.flatMap(([ink, grounds]) => grounds.map((ground) => [ink, ground] as const)))(
    'keeps %s on %s at 4.5 to 1 or better',
    (ink, ground) => {
      expect(contrast(palette[ink], palette[ground])).toBeGreaterThanOrEqual(4.5)
    },
  )

  it('keeps initials in avatars readable in every colour', () => {
    for (let number = 1; number <= AVATAR_COLORS; number++) {
      const ink = palette[`avatar-${number}-ink` as ColorName]
      expect(contrast(ink, palette[`avatar-${number}-ground` as ColorName])).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('keeps tags readable in every colour', () => {
    for (const color of ['magenta', 'red', 'volcano', 'purple', 'blue'] as const) {
      expect(contrast(palette[`tag-${color}-ink`], palette[`tag-${color}-ground`])).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('keeps the outlines of controls and focus rings at 3 to 1 or better', () => {
    for (const outline of ['line-strong', 'focus'] as const) {
      for (const ground of ['page', 'panel'] as const) {
        expect(contrast(palette[outline], palette[ground])).toBeGreaterThanOrEqual(3)
      }
    }
  })
})

/** Contrast ratio of two hexadecimal colors, as WCAG defines it. */
function contrast(first: string, second: string): number {
  const [dark, light] = [luminance(first), luminance(second)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
