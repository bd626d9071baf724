import type { WidgetSettings } from '#contract/widgets.ts'
import type { Settled } from './config.ts'

const PATIENCE_MS = 5000

/** The saved settings; undefined when the server cannot be reached in time, and the page's own words must do. */
export async function fetchSettings({ base, token, inbox }: Settled): Promise<WidgetSettings | undefined> {
  const query = `account_id=${token}${inbox ? `&inbox_id=${encodeURIComponent(inbox)}` : ''}`
  // Browsers of before 2023 wait for as long as they see fit.
  const signal = AbortSignal.timeout?.(PATIENCE_MS)
  try {
    const response = await fetch(`${base}/api/widget_settings?${query}`, { credentials: 'omit', signal })
    return response.ok ? (await response.json()).data : undefined
  } catch {
    return undefined
  }
}

/** What the page itself says about the chat window, in the words of `config:update`. The window takes what it knows. */
export function lookOf(config: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => /^[snb]/.test(typeof value) && value !== ''))
}

/** The address of the chat window, with all that it needs to draw itself without asking again. */
export function writeAddress(
  config: Settled,
  settings: WidgetSettings | undefined,
  look: Record<string, string | number>,
): string {
  // A blank subtitle means none; a missing one means the usual. Signed tokens have no business in addresses.
  const { identityToken: _, base, subtitle = '', ...said } = config
  const query = new URLSearchParams(lookOf(said) as Record<string, string>)
  if (config.subtitle !== undefined) query.set('subtitle', subtitle)
  for (const [key, value] of Object.entries(look)) query.set(key, String(value))
  if (settings) query.set('saved', JSON.stringify(settings))
  return `${base}/chat?${query}`
}
