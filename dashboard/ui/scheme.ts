import { storage } from '../platform/storage.ts'
import type { Scheme } from './tokens.ts'

export type SchemeChoice = Scheme | 'system'

const KEY = 'parley.scheme'
const systemIsDark = globalThis.matchMedia?.('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

/** Light, dark, or the system's setting. */
export function readSchemeChoice(): SchemeChoice {
  const stored = storage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function chooseScheme(choice: SchemeChoice) {
  if (choice === 'system') storage.removeItem(KEY)
  else storage.setItem(KEY, choice)
  showScheme()
}

/** The current color scheme. */
export function readScheme(): Scheme {
  const choice = readSchemeChoice()
  return choice === 'system' ? (systemIsDark?.matches ? 'dark' : 'light') : choice
}

/**
 * Calls the listener when the color scheme changes, by choice (here or in another tab) or by the system. Returns a
 * function that stops it.
 */
export function onSchemeChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Sets the page's color scheme, now and whenever it changes. */
export function trackScheme() {
  systemIsDark?.addEventListener('change', showScheme)
  window.addEventListener('storage', showScheme)
  showScheme()
}

function showScheme() {
  document.documentElement.dataset.scheme = readScheme()
  for (const listener of listeners) listener()
}
