import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type EmbeddedSettings, PublicWidgetSettings } from '#contract/widget/widgets.ts'
import { type Context, perServer } from '../../../context.ts'
import type { LoggedEvent } from '../../../feature.ts'
import { pick } from '../../../pick.ts'
import { PrecompressedText } from '../../../platform/http/compression.ts'
import { type FoundWidget, findWidget } from './finding.ts'

/** Settings are read again after this time: opening hours end, and changes on other nodes are not known here. */
const FRESH_MS = 10_000
/** Number of cached scripts, each some 25 kB. */
const MAX_CACHED = 500

/** Events after which a script would differ. */
const SHOWN = new Set(['widget_settings:updated', 'account:updated', 'help_center:updated'])

interface WidgetScripts {
  /**
   * The script with the settings of an inbox in front of it; undefined if there is no such account or inbox. `pay` is
   * called before any query, and may refuse.
   */
  get(account_id: string, inbox_id: string | null, pay: () => Promise<void>): Promise<PrecompressedText | undefined>
  /** Invalidates the scripts affected by events. */
  apply(events: LoggedEvent[]): void
}

/** The scripts cached by this server. */
export const widgetScripts = perServer(createWidgetScripts)

interface CachedScript {
  account_id: string
  at: number
  script: Promise<PrecompressedText | undefined>
}

/** For thousands of visitors a minute the settings are read once every few seconds. */
function createWidgetScripts(context: Context): WidgetScripts {
  const file = resolve(context.dist, 'widget/widget.js')
  const cache = new Map<string, CachedScript>()

  const findFresh = (key: string) => {
    const cached = cache.get(key)
    return cached && Date.now() - cached.at < FRESH_MS ? cached.script : undefined
  }

  async function createScript(account_id: string, inbox_id: string | null, before: CachedScript | undefined) {
    const [widget, script] = await Promise.all([findWidget(context, account_id, inbox_id), readFile(file, 'utf8')])
    if (!widget) return undefined
    const text = prependSettings(widget, script)
    const old = await before?.script.catch(() => undefined)
    return old?.text === text ? old : new PrecompressedText(text, 'best')
  }

  function cacheScript(key: string, account_id: string, inbox_id: string | null) {
    const entry: CachedScript = {
      account_id,
      at: Date.now(),
      script: createScript(account_id, inbox_id, cache.get(key)),
    }
    cache.delete(key)
    cache.set(key, entry)
    const remove = () => cache.get(key) === entry && cache.delete(key)
    // Made-up account ids evict nothing: an entry is only evicted once the inbox is known to exist.
    entry.script.then((script) => (script ? evictOldest() : remove()), remove)
    return entry.script
  }

  function evictOldest() {
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!)
  }

  return {
    async get(account_id, inbox_id, pay) {
      const key = `${account_id}/${inbox_id ?? ''}`
      if (!findFresh(key)) await pay()
      return findFresh(key) ?? cacheScript(key, account_id, inbox_id)
    },
    apply(events) {
      for (const { account_id, event } of events) {
        if (!SHOWN.has(event.type)) continue
        for (const [key, entry] of cache) if (entry.account_id === account_id) cache.delete(key)
      }
    },
  }
}

/** Ids and times, which the chat never reads. */
const UNUSED = /^(id|object|account_id|inbox_id|created_at|updated_at|offers_articles|iframe_url_override|base_url)$/

/**
 * The script with its settings in front, attached to its own script element so that no global name is used. Unset
 * values are left out; a subtitle may be blank on purpose.
 */
export function prependSettings({ settings, account, has_articles }: FoundWidget, script: string): string {
  const set = Object.entries(pick(PublicWidgetSettings, settings)).filter(
    ([name, value]) => !UNUSED.test(name) && (value || (name === 'subtitle' && value === '')),
  )
  const { company_name, subscription_plan, is_outside_working_hours } = account
  const embedded: EmbeddedSettings = {
    ...Object.fromEntries(set),
    ...(has_articles && { has_articles }),
    account: { company_name, subscription_plan, is_outside_working_hours },
  }
  return `Object(document.currentScript).brought=${writeLiteral(embedded)};\n${script}`
}

/**
 * A JSON literal that cannot end the script: without closing tags and without characters that old browsers treat as
 * line ends.
 */
function writeLiteral(value: object): string {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(/[<\u2028\u2029]/g, escaped)
}
