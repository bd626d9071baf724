import type { EmbeddedSettings } from '#contract/widgets.ts'
import type { Settled } from './config.ts'

const TIMEOUT_MS = 5000

/**
 * Whether the script came from this server and was asked for with this account and inbox in its address, as our snippets
 * write it: then what it brought along is theirs.
 */
export function comesFromScript({ base, token, inbox }: Settled, scriptUrl: string): boolean {
  return scriptUrl === `${base}/widget.js?token=${token}${inbox ? `&inbox=${inbox}` : ''}`
}

/** The saved settings; undefined when the server cannot be reached in time, and the page's own words must do. */
export async function fetchSettings({ base, token, inbox = '' }: Settled): Promise<EmbeddedSettings | undefined> {
  // Browsers of before 2023 wait for as long as they see fit.
  const signal = AbortSignal.timeout?.(TIMEOUT_MS)
  try {
    const query = new URLSearchParams({ account_id: token, inbox_id: inbox })
    const response = await fetch(`${base}/api/widget_settings?${query}`, { signal })
    return response.ok ? (await response.json()).data : undefined
  } catch {
    return undefined
  }
}

/** What the page itself says about the chat window, in the words of `config:update`. The window takes what it knows. */
export function chatSettingsOf(config: object): Record<string, string> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => /^[snb]/.test(typeof value)))
}

/** An address beyond this is refused by servers; then the window asks for the settings itself. */
const LONGEST = 6000

/** The address of the chat window, with all that it needs to draw itself without asking again. */
export function writeAddress(config: Settled, settings: EmbeddedSettings | undefined, appearance: object): string {
  // Signed tokens have no business in addresses.
  const { identityToken: _, base, ...said } = config
  const address = `${base}/chat?${new URLSearchParams(chatSettingsOf({ ...said, ...appearance }))}`
  const saved = settings ? `&saved=${encodeURIComponent(JSON.stringify(settings))}` : ''
  return saved.length > LONGEST ? address : address + saved
}
