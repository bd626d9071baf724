/**
 * All colors, sizes and durations of the dashboard, available in style sheets as CSS variables: `ink-quiet` becomes
 * `--ink-quiet`.
 */

export type Scheme = 'light' | 'dark'

const light = {
  page: '#f8f6f2',
  sunken: '#f1eee8',
  panel: '#ffffff',
  raised: '#ffffff',
  hover: '#f4f1eb',
  line: '#e6e1d8',
  'line-button': '#d2ccc1',
  'line-strong': '#8d8a82',
  'ink-strong': '#17222d',
  ink: '#33414e',
  'ink-quiet': '#5c6873',
  accent: '#0d5f7a',
  'accent-strong': '#0a4b61',
  'accent-ground': '#e2eff3',
  'on-accent': '#ffffff',
  'own-ground': '#e6f0f3',
  'note-ground': '#fff3d6',
  'note-line': '#ecd9a8',
  'note-ink': '#6a4a04',
  'bot-ground': '#efecf8',
  'bot-ink': '#57469a',
  'danger-ground': '#fce9e6',
  'danger-ink': '#a5301f',
  danger: '#c23b2a',
  'success-ground': '#e2f3ea',
  'success-ink': '#1c6a45',
  success: '#2c8a5d',
  'warning-ground': '#fdeedc',
  'warning-ink': '#8a4b00',
  'avatar-1-ground': '#dcebe6',
  'avatar-1-ink': '#1f5b4c',
  'avatar-2-ground': '#f6e2d7',
  'avatar-2-ink': '#87401b',
  'avatar-3-ground': '#e4e3f3',
  'avatar-3-ink': '#4a4789',
  'avatar-4-ground': '#f3e0e8',
  'avatar-4-ink': '#86325a',
  'avatar-5-ground': '#e9e8d4',
  'avatar-5-ink': '#5a5718',
  'tag-magenta-ground': '#f9e1ec',
  'tag-magenta-ink': '#8e2459',
  'tag-red-ground': '#fbe3e2',
  'tag-red-ink': '#9c2a2a',
  'tag-volcano-ground': '#fbe6da',
  'tag-volcano-ink': '#8f3b12',
  'tag-purple-ground': '#ebe4f7',
  'tag-purple-ink': '#5b3a99',
  'tag-blue-ground': '#e0eaf7',
  'tag-blue-ink': '#245391',
  'tooltip-ground': '#17222d',
  'tooltip-ink': '#ffffff',
  focus: '#0d5f7a',
  'accent-tint': 'rgb(13 95 122 / 24%)',
  tint: 'rgb(92 104 115 / 12%)',
  'tint-strong': 'rgb(92 104 115 / 28%)',
  scrim: 'rgb(23 34 45 / 38%)',
  shadow: '0 1px 2px rgb(23 34 45 / 6%), 0 8px 28px rgb(23 34 45 / 12%)',
}

const dark: typeof light = {
  page: '#0f1317',
  sunken: '#0b0e12',
  panel: '#151a20',
  raised: '#1d232b',
  hover: '#1a2028',
  line: '#272f38',
  'line-button': '#3b4651',
  'line-strong': '#6a7582',
  'ink-strong': '#eef1f4',
  ink: '#c4ccd4',
  'ink-quiet': '#93a0ac',
  accent: '#6cb9d3',
  'accent-strong': '#8fcde2',
  'accent-ground': '#16323d',
  'on-accent': '#06202b',
  'own-ground': '#1a2b34',
  'note-ground': '#33290f',
  'note-line': '#54451d',
  'note-ink': '#ecd293',
  'bot-ground': '#262239',
  'bot-ink': '#b9abf0',
  'danger-ground': '#3a1c19',
  'danger-ink': '#f2a397',
  danger: '#e5705f',
  'success-ground': '#12301f',
  'success-ink': '#85d3a8',
  success: '#4cb583',
  'warning-ground': '#3a2710',
  'warning-ink': '#efb87a',
  'avatar-1-ground': '#1c3a33',
  'avatar-1-ink': '#9fd6c5',
  'avatar-2-ground': '#422a1d',
  'avatar-2-ink': '#eab896',
  'avatar-3-ground': '#2b2a4a',
  'avatar-3-ink': '#bdbaf0',
  'avatar-4-ground': '#42202f',
  'avatar-4-ink': '#edabc8',
  'avatar-5-ground': '#343317',
  'avatar-5-ink': '#d8d490',
  'tag-magenta-ground': '#421d31',
  'tag-magenta-ink': '#f0a8cb',
  'tag-red-ground': '#431f20',
  'tag-red-ink': '#f3aaa6',
  'tag-volcano-ground': '#432616',
  'tag-volcano-ink': '#f0b291',
  'tag-purple-ground': '#2d2447',
  'tag-purple-ink': '#c6b3f2',
  'tag-blue-ground': '#1b2d45',
  'tag-blue-ink': '#a5c6f0',
  'tooltip-ground': '#272f38',
  'tooltip-ink': '#eef1f4',
  focus: '#8fcde2',
  'accent-tint': 'rgb(108 185 211 / 24%)',
  tint: 'rgb(147 160 172 / 12%)',
  'tint-strong': 'rgb(147 160 172 / 28%)',
  scrim: 'rgb(0 0 0 / 60%)',
  shadow: '0 1px 2px rgb(0 0 0 / 40%), 0 10px 32px rgb(0 0 0 / 50%)',
}

export type ColorName = keyof typeof light

export const colors: Record<Scheme, Record<ColorName, string>> = { light, dark }

/** Pixels, where the reader has not set another size. */
export const type = {
  family: "'Commissioner Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  meta: 13,
  text: 14,
  title: 16,
  page: 22,
}

/** Pixels, on a grid of four. */
export const space = { 1: 4, 2: 8, 3: 12, 4: 16, 5: 20, 6: 24, 8: 32, 12: 48 }

export const radius = { control: 8, panel: 12, bubble: 14, round: 999 }

export const control = { height: 36, small: 32, touch: 44 }

/** Milliseconds. With reduced motion all durations are zero. */
export const motion = { fast: 120, slow: 180, breath: 1600, ease: 'cubic-bezier(0.2, 0, 0, 1)' }

export const width = {
  iconBar: 80,
  viewsBar: 220,
  list: 280,
  details: 240,
  dialog: 400,
  search: 400,
  help: 520,
  page: 960,
  widget: 800,
  shared: 640,
}

/** The number of avatar colors. */
export const AVATAR_COLORS = 5

/** The CSS declarations of one color scheme. */
export function cssColors(scheme: Scheme): string {
  return declarations(colors[scheme])
}

/** The CSS declarations that both schemes share. */
export function cssSizes(): string {
  return declarations({
    'font-family': type.family,
    'text-meta': inRem(type.meta),
    'text-normal': inRem(type.text),
    'text-title': inRem(type.title),
    'text-page': inRem(type.page),
    ...prefixed('space', space, 'px'),
    ...prefixed('radius', radius, 'px'),
    ...prefixed('control', control, 'px'),
    ...prefixed('width', width, 'px'),
    fast: `${motion.fast}ms`,
    slow: `${motion.slow}ms`,
    breath: `${motion.breath}ms`,
    ease: motion.ease,
  })
}

/** Relative to the size that the reader has set in their browser, which is 16 pixels by default. */
function inRem(size: number): string {
  return `${size / 16}rem`
}

/** The declarations that replace those of `cssSizes` where a thumb presses: every control is large enough for it. */
export function cssTouchSizes(): string {
  return declarations({ 'control-height': `${control.touch}px`, 'control-small': `${control.touch}px` })
}

function prefixed(prefix: string, values: Record<string, number>, unit: string) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}-${name}`, `${value}${unit}`]))
}

function declarations(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${name}:${value};`)
    .join('')
}
