import type { WidgetSettingsChanges } from '#contract/widget/widget-settings.ts'
import type { WidgetSettings } from '#contract/widget/widgets.ts'

export const PRIMARY_COLOR = '#0d5f7a'

/** Ten colors that suit most websites, for companies without a brand color. */
export const PALETTE = [
  '#0d5f7a',
  '#1677c2',
  '#3b52b4',
  '#6d3fb0',
  '#a8326e',
  '#c23b2a',
  '#b5590b',
  '#3f7d20',
  '#0b7a5c',
  '#33414e',
] as const

const TEXTS = [
  'color',
  'name',
  'logo',
  'title',
  'subtitle',
  'greeting',
  'away_message',
  'new_message_placeholder',
  'email_input_placeholder',
  'new_messages_notification_text',
  'quick_reply_options',
  'agent_available_text',
  'agent_unavailable_text',
] as const

const SWITCHES = [
  'show_agent_availability',
  'use_company_profile_only',
  'require_name_upfront',
  'require_email_upfront',
  'require_phone_upfront',
  'is_hide_voice',
  'is_hide_attachments',
  'is_open_by_default',
  'is_branding_hidden',
  'offers_articles',
] as const

export type TextName = (typeof TEXTS)[number]

export type SwitchName = (typeof SWITCHES)[number]

/** All fields of the page. */
export type WidgetForm = Record<TextName, string> &
  Record<SwitchName, boolean> & { icon_variant: 'outlined' | 'filled' }

/** The defaults shown in unset fields. The chat window translates those of its own defaults. */
function defaultTexts(company: string): Partial<Record<TextName, string>> {
  return {
    color: PRIMARY_COLOR,
    ...windowDefaults(company),
    agent_available_text: 'We are online!',
    agent_unavailable_text: 'We are currently unavailable.',
  }
}

function windowDefaults(company: string): Partial<Record<TextName, string>> {
  return {
    title: company ? `Welcome to ${company}` : 'Welcome!',
    subtitle: 'Ask us anything in the chat window below 😊',
    new_message_placeholder: 'Start typing...',
  }
}

/** The form for saved settings. */
export function readForm(settings: WidgetSettings): WidgetForm {
  const defaults = defaultTexts(settings.name || settings.account.company_name)
  const texts = TEXTS.map((field) => [field, settings[field] ?? defaults[field] ?? ''])
  const switches = SWITCHES.map((field) => [field, settings[field]])
  return { ...Object.fromEntries([...texts, ...switches]), icon_variant: settings.icon_variant }
}

/**
 * The changes to send: all fields. Those at the chat window's own defaults are sent as null, so that they are
 * translated.
 */
export function writeForm(form: WidgetForm, { company_name }: WidgetSettings['account']): WidgetSettingsChanges {
  const untouched = Object.entries(windowDefaults(form.name || company_name)).filter(
    ([field, text]) => form[field as TextName] === text,
  )
  return { ...form, ...Object.fromEntries(untouched.map(([field]) => [field, null])) }
}

/** The form under the chat window's own names. */
export function appearanceOf(form: WidgetForm, account: WidgetSettings['account']): Record<string, string | boolean> {
  return {
    title: form.title,
    subtitle: form.subtitle,
    primaryColor: form.color || PRIMARY_COLOR,
    companyName: form.name || account.company_name,
    logo: form.logo,
    greeting: form.greeting,
    awayMessage: form.away_message,
    newMessagePlaceholder: form.new_message_placeholder,
    emailInputPlaceholder: form.email_input_placeholder,
    newMessagesNotificationText: form.new_messages_notification_text,
    quickReplyOptions: form.quick_reply_options,
    agentAvailableText: form.agent_available_text,
    agentUnavailableText: form.agent_unavailable_text,
    showAgentAvailability: form.show_agent_availability,
    useCompanyProfileOnly: form.use_company_profile_only,
    requireNameUpfront: form.require_name_upfront,
    requireEmailUpfront: form.require_email_upfront,
    requirePhoneUpfront: form.require_phone_upfront,
    isHideVoice: form.is_hide_voice,
    isHideAttachments: form.is_hide_attachments,
    isBrandingHidden: form.is_branding_hidden,
    subscriptionPlan: account.subscription_plan,
    isOutsideWorkingHours: account.is_outside_working_hours,
  }
}
