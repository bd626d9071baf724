import type { WidgetSettings } from '#contract/widgets.ts'
import type { Settled } from './config.ts'

const PATIENCE_MS = 5000

/** The saved settings; undefined when the server cannot be reached in time, and the page's own words must do. */
export async function fetchSettings({ base, token, inbox }: Settled): Promise<WidgetSettings | undefined> {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), PATIENCE_MS)
  try {
    const query = `account_id=${token}${inbox ? `&inbox_id=${encodeURIComponent(inbox)}` : ''}`
    const response = await fetch(`${base}/api/widget_settings?${query}`, { credentials: 'omit', signal: ending.signal })
    return response.ok ? (await response.json()).data : undefined
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

/** The address of the chat window, with all that it needs to draw itself without asking again. */
export function writeAddress(
  config: Settled,
  settings: WidgetSettings | undefined,
  look: Record<string, unknown>,
): string {
  const query = new URLSearchParams()
  const said = {
    token: config.token,
    inbox: config.inbox,
    title: config.title || settings?.title,
    // A blank subtitle means none; a missing one means the usual.
    subtitle: config.subtitle ?? settings?.subtitle,
    greeting: config.greeting || settings?.greeting,
    newMessagePlaceholder: config.newMessagePlaceholder || settings?.new_message_placeholder,
    companyName: settings?.account.company_name,
    showAgentAvailability: config.showAgentAvailability || settings?.show_agent_availability ? 1 : undefined,
    agentAvailableText: settings?.agent_available_text || config.agentAvailableText,
    agentUnavailableText: settings?.agent_unavailable_text || config.agentUnavailableText,
    language: config.language || settings?.language,
    settled: settings && 1,
    ...look,
  }
  for (const [key, value] of Object.entries(said))
    if (value !== undefined && value !== null) query.set(key, String(value))
  return `${config.base}/chat?${query}`
}
