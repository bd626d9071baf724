import type { WidgetForm } from './form.ts'

export interface SnippetTarget {
  account_id: string
  inbox_id: string
  /** The public address of the server. */
  base: string
  /** The widget's language on that website. */
  language?: string
}

/** Sets no language, so that the widget uses the page's. */
export const LANGUAGE_OF_PAGE = 'page'
const widgetTexts = import.meta.glob('../../../../locales/*/widget.json', { eager: true, import: 'direction' })
/** The languages of the widget, which a snippet can set. */
export const WIDGET_LANGUAGES = Object.keys(widgetTexts).map((path) => path.split('/').at(-2)!)

/**
 * The configuration in a snippet: enough to find the saved settings, or all settings of the form, which then override
 * the saved ones.
 */
export function writeConfig(
  { account_id, inbox_id, base, language = LANGUAGE_OF_PAGE }: SnippetTarget,
  form?: WidgetForm,
): Record<string, unknown> {
  const settings = form && {
    title: form.title,
    subtitle: form.subtitle,
    primaryColor: form.color,
    greeting: form.greeting,
    awayMessage: form.away_message,
    newMessagePlaceholder: form.new_message_placeholder,
    showAgentAvailability: form.show_agent_availability,
    agentAvailableText: form.agent_available_text,
    agentUnavailableText: form.agent_unavailable_text,
    requireEmailUpfront: form.require_email_upfront,
    iconVariant: form.icon_variant,
    isOpenByDefault: form.is_open_by_default,
  }
  const named = language === LANGUAGE_OF_PAGE ? {} : { language }
  return { token: account_id, inbox: inbox_id, ...settings, ...named, baseUrl: base }
}

/** For the head of any page. */
export function writeHtml(target: SnippetTarget, form?: WidgetForm): string {
  const lines = Object.entries(writeConfig(target, form)).map(([key, value]) => `      ${key}: ${quote(value)},`)
  return `<script>
  window.Parley = {
    config: {
${lines.join('\n')}
    },
  };
</script>
<script type="text/javascript" async defer src="${writeScriptAddress(target)}"></script>`
}

/** With account and inbox in the address, the script contains the widget settings and pages need no second request. */
function writeScriptAddress({ base, account_id, inbox_id }: SnippetTarget): string {
  return `${base}/widget.js?token=${account_id}&inbox=${inbox_id}`
}

/** For websites written in React. */
export function writeReact(target: SnippetTarget, form?: WidgetForm): string {
  const lines = Object.entries(writeConfig(target, form)).map(([key, value]) => `      ${key}={${quote(value)}}`)
  return `import { ChatWidget } from '${REACT_PACKAGE}';

export default function App() {
  return (
    <ChatWidget
${lines.join('\n')}
    />
  );
}`
}

const REACT_PACKAGE = '@parley/react'

/** A JavaScript literal that is safe inside a script element: it cannot close the element. */
function quote(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
