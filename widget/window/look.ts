import type { WidgetSettings } from '#contract/widgets.ts'
import type { Place } from './calls.ts'

/** Everything that may be said about how the chat window looks; a missing key means our own words. */
export interface Look {
  title?: string
  subtitle?: string
  primaryColor?: string
  greeting?: string
  companyName?: string
  newMessagePlaceholder?: string
  agentAvailableText?: string
  agentUnavailableText?: string
  showAgentAvailability?: boolean
  closeable?: boolean
  language?: string
  theme?: string
}

const TEXTS = [
  'title',
  'subtitle',
  'primaryColor',
  'greeting',
  'companyName',
  'newMessagePlaceholder',
  'agentAvailableText',
  'agentUnavailableText',
  'language',
  'theme',
] as const
const SWITCHES = ['showAgentAvailability', 'closeable'] as const

/**
 * Takes the keys it knows and leaves the rest. Used for the address of the frame and for what the page says later, so
 * nothing here may decide whose server is called: that is always the one this page came from.
 */
export function readLook(given: Record<string, unknown>): Look {
  const look: Look = {}
  for (const key of TEXTS) {
    const value = given[key]
    if (typeof value === 'string') look[key] = value.slice(0, 5000)
  }
  for (const key of SWITCHES) {
    const value = given[key]
    if (value !== undefined && value !== null) look[key] = value === true || value === 1 || value === '1'
  }
  return look
}

/** Saved settings in the page's words. */
export function lookOfSettings(settings: WidgetSettings): Look {
  return readLook({
    title: settings.title,
    subtitle: settings.subtitle,
    primaryColor: settings.color,
    greeting: settings.greeting,
    companyName: settings.account.company_name,
    newMessagePlaceholder: settings.new_message_placeholder,
    agentAvailableText: settings.agent_available_text,
    agentUnavailableText: settings.agent_unavailable_text,
    showAgentAvailability: settings.show_agent_availability,
    language: settings.language,
  })
}

export interface Address extends Place {
  look: Look
  /** The page has already fetched the settings and passed them on. */
  isSettled: boolean
  /** The page says when it opens and closes the frame. Very old ones do not. */
  isToggled: boolean
  ts: string | null
  metadata: Record<string, unknown>
}

/** Reads the frame's own address; undefined when it names no account. */
export function readAddress(search: string): Address | undefined {
  const query = new URLSearchParams(search)
  const account_id = query.get('token') ?? query.get('accountId')
  if (!account_id) return undefined
  const inbox = query.get('inbox')
  return {
    account_id,
    inbox_id: inbox && inbox !== 'undefined' && inbox !== 'null' ? inbox : undefined,
    look: readLook(Object.fromEntries(query)),
    isSettled: query.has('settled'),
    isToggled: isNewerThan112(query.get('version')),
    ts: query.get('ts'),
    metadata: parse(query.get('metadata')),
  }
}

/** Pages up to version 1.1.2 never send `papercups:toggle`. */
function isNewerThan112(version: string | null): boolean {
  const [major = 1, minor = 0, patch = 0] = (version ?? '1.0.0').split('.').map(Number)
  return !(major <= 1 && minor <= 1 && patch <= 2)
}

function parse(json: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(json ?? '{}'))
  } catch {
    return {}
  }
}
