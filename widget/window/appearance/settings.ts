import type { WidgetSettingsRow } from '#contract/widget/widget-settings.ts'
import type { WidgetSettings } from '#contract/widget/widgets.ts'
import { FRESH } from '../../protocol.ts'
import type { InboxRef } from '../calls.ts'
import { NOT_SAID } from '../session/claims.ts'
import { en, fill } from './labels.ts'

/** Texts, by the page's name for them, with the saved setting that each overrides. */
const TEXTS = {
  title: 'title',
  subtitle: 'subtitle',
  primaryColor: 'color',
  greeting: 'greeting',
  awayMessage: 'away_message',
  companyName: 'name',
  logo: 'logo',
  newMessagePlaceholder: 'new_message_placeholder',
  emailInputPlaceholder: 'email_input_placeholder',
  newMessagesNotificationText: 'new_messages_notification_text',
  quickReplyOptions: 'quick_reply_options',
  agentAvailableText: 'agent_available_text',
  agentUnavailableText: 'agent_unavailable_text',
  language: 'language',
} as const satisfies Record<string, keyof WidgetSettingsRow>

const SWITCHES = {
  showAgentAvailability: 'show_agent_availability',
  requireEmailUpfront: 'require_email_upfront',
  requireNameUpfront: 'require_name_upfront',
  requirePhoneUpfront: 'require_phone_upfront',
  useCompanyProfileOnly: 'use_company_profile_only',
  isHideVoice: 'is_hide_voice',
  isHideAttachments: 'is_hide_attachments',
  isBrandingHidden: 'is_branding_hidden',
  offersArticles: 'has_articles',
} as const satisfies Record<string, keyof WidgetSettings>

/** Texts that no setting holds, only the page or the account. */
const MORE_TEXTS = ['theme', 'side', 'subscriptionPlan'] as const
const MORE_SWITCHES = ['closeable', 'isOutsideWorkingHours'] as const

type TextKey = keyof typeof TEXTS | (typeof MORE_TEXTS)[number]
type SwitchKey = keyof typeof SWITCHES | (typeof MORE_SWITCHES)[number]

/** The appearance of the chat window; for missing keys the defaults apply. */
export type Appearance = Partial<Record<TextKey, string> & Record<SwitchKey, boolean>>

/**
 * Reads known keys and ignores others. Used for the frame's address and for messages of the page, so it must not accept
 * a server address: calls always go to the window's own origin.
 */
export function readAppearance(input: Record<string, unknown>): Appearance {
  const appearance: Appearance = {}
  for (const key of [...(Object.keys(TEXTS) as TextKey[]), ...MORE_TEXTS]) {
    const value = input[key]
    if (typeof value === 'string') appearance[key] = value.slice(0, 5000)
  }
  for (const key of [...(Object.keys(SWITCHES) as SwitchKey[]), ...MORE_SWITCHES]) {
    const value = input[key]
    if (value !== undefined && value !== null) appearance[key] = [true, 1, '1', 'true'].includes(value as string)
  }
  return appearance
}

/** The English defaults. The settings page saves them unchanged, so in other languages they are translated. */
const UNTOUCHED = {
  subtitle: en.subtitle,
  newMessagePlaceholder: en.placeholder,
  emailInputPlaceholder: en.emailPlaceholder,
  newMessagesNotificationText: en.newMessages,
  agentAvailableText: en.available,
  agentUnavailableText: en.unavailable,
}

/** Saved settings under the page's names. */
export function appearanceOfSettings({ account, ...settings }: WidgetSettings): Appearance {
  const companyName = settings.name || account.company_name
  const untouched: Record<string, string> = { ...UNTOUCHED, title: fill(en.welcome, { company: companyName }) }
  const saved = Object.entries({ ...TEXTS, ...SWITCHES })
    .map(([key, setting]) => [key, settings[setting]] as const)
    .filter(([key, value]) => value !== untouched[key])
  return readAppearance({
    ...Object.fromEntries(saved),
    companyName,
    isOutsideWorkingHours: account.is_outside_working_hours,
    subscriptionPlan: account.subscription_plan,
  })
}

export interface Address extends InboxRef {
  appearance: Appearance
  /** The saved settings, if the page has fetched them already and passed them on. */
  saved: Appearance | undefined
  /** The person has changed: data of the previous one is deleted. */
  isFresh: boolean
  /** Shows a sample conversation, for the preview of the settings. */
  isSample: boolean
  /**
   * Whether the page reports when it opens and closes the frame. Very old pages do not, and ignore a close button in
   * the window.
   */
  isToggled: boolean
  ts: string | null
  metadata: Record<string, unknown>
}

/** Reads the frame's own address; undefined if it names no account. */
export function readAddress(search: string): Address | undefined {
  const query = new URLSearchParams(search)
  const account_id = query.get('token') ?? query.get('accountId')
  if (!account_id) return undefined
  const inbox = query.get('inbox')
  const isToggled = !WITHOUT_TOGGLE.test(query.get('version') ?? '')
  return {
    account_id,
    inbox_id: NOT_SAID.includes(inbox) ? undefined : inbox!,
    appearance: { ...readAppearance(Object.fromEntries(query)), ...(!isToggled && { closeable: false }) },
    saved: readSaved(query.get('saved')),
    isFresh: query.has(FRESH),
    isSample: query.has('sample'),
    test_token: query.get('test'),
    isToggled,
    ts: query.get('ts'),
    metadata: parse(query.get('metadata')),
  }
}

function readSaved(json: string | null): Appearance | undefined {
  const settings = parse(json) as Partial<WidgetSettings>
  return settings.account ? appearanceOfSettings(settings as WidgetSettings) : undefined
}

/** Pages up to version 1.1.2, or that name none, never send `papercups:toggle`. */
const WITHOUT_TOGGLE = /^([01](\.[01](\.[0-2])?)?)?$/

function parse(json: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(json ?? '{}'))
  } catch {
    return {}
  }
}
