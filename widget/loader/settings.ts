import type { EmbeddedSettings } from '#contract/widget/widgets.ts'
import type { ResolvedSettings } from './config.ts'

const TIMEOUT_MS = 5000

/**
 * Whether the script was loaded from this server with this account and inbox in its address, as our snippets write it.
 * Then the settings that came with it apply.
 */
export function comesFromScript({ base, token, inbox }: ResolvedSettings, scriptUrl: string): boolean {
  return scriptUrl === `${base}/widget.js?token=${token}${inbox ? `&inbox=${inbox}` : ''}`
}

/** The saved settings; undefined when the server does not answer in time, and only the page's configuration applies. */
export async function fetchSettings({
  base,
  token,
  inbox = '',
}: ResolvedSettings): Promise<EmbeddedSettings | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const query = new URLSearchParams({ account_id: token, inbox_id: inbox })
    const response = await fetch(`${base}/api/widget_settings?${query}`, { signal })
    return response.ok ? (await response.json()).data : undefined
  } catch {
    return undefined
  }
}

/** The page's own configuration of the chat window, as sent with `config:update`. The window ignores unknown keys. */
export function chatSettingsOf(config: object): Record<string, string> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => /^[snb]/.test(typeof value)))
}

/** Servers refuse longer addresses; then the window fetches the settings itself. */
const MAX_LENGTH = 6000

/** The address of the chat window, with the settings in it, so that it can render without fetching them. */
export function writeAddress(
  config: ResolvedSettings,
  settings: EmbeddedSettings | undefined,
  appearance: object,
): string {
  // Signed tokens must not appear in addresses.
  const { identityToken: _, base, ...fields } = config
  const address = `${base}/chat?${new URLSearchParams(chatSettingsOf({ ...fields, ...appearance }))}`
  const saved = settings ? `&saved=${encodeURIComponent(JSON.stringify(settings))}` : ''
  return saved.length > MAX_LENGTH ? address : address + saved
}
