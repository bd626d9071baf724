import { storage } from './storage.ts'
import { createStore, useStore } from './store.ts'

/** Chromium's offer to install the page as an app, which TypeScript does not know. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

/**
 * How the dashboard becomes an app here: by a button, by the share menu of iOS, or by the browser's own menu; `installed`
 * where it already is one.
 */
export type Installing = 'button' | 'share' | 'menu' | 'installed'

const DISMISSED = 'parley.install_dismissed'

const prompt = createStore<InstallPrompt | undefined>(undefined)
const isInstalled = createStore(isApp())
const isDismissed = createStore(storage.getItem(DISMISSED) !== null)

/** Keeps the browser's offer for our own button. To be called before the browser makes it. */
export function trackInstallation() {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    prompt.set(event as InstallPrompt)
  })
  window.addEventListener('appinstalled', () => {
    prompt.set(undefined)
    isInstalled.set(true)
  })
}

export function useInstalling(): Installing {
  const offered = useStore(prompt, (event) => event !== undefined)
  const installed = useStore(isInstalled, (state) => state)
  if (installed) return 'installed'
  if (offered) return 'button'
  return isIos() ? 'share' : 'menu'
}

/** Whether to suggest it: where it takes one step, and until the user has declined. */
export function useIsInstallSuggested(): boolean {
  const installing = useInstalling()
  const dismissed = useStore(isDismissed, (state) => state)
  return !dismissed && (installing === 'button' || installing === 'share')
}

export function dismissInstalling() {
  storage.setItem(DISMISSED, '1')
  isDismissed.set(true)
}

/** Asks the browser to install. A browser asks once for each offer. */
export async function install(): Promise<void> {
  const offer = prompt.get()
  prompt.set(undefined)
  const answer = await offer?.prompt()
  if (answer?.outcome === 'dismissed') dismissInstalling()
}

function isApp(): boolean {
  const isStandalone = globalThis.matchMedia?.('(display-mode: standalone)').matches
  return isStandalone || (globalThis.navigator !== undefined && Reflect.get(navigator, 'standalone') === true)
}

/** Only browsers of iOS and iPadOS have the property; there no browser offers to install. */
function isIos(): boolean {
  return 'standalone' in navigator && navigator.maxTouchPoints > 1
}
