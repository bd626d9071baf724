import { isolate } from '#contract/text/isolate.ts'
import en from '../../../locales/en/widget.json'

export { en }

/** The texts of the window in one language, in every language with the keys of English. */
export type Labels = typeof en

/** Replaces `{{placeholders}}` with values. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => isolate(String(values[name] ?? ''), text))
}
