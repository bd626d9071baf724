import type { EmbeddedSettings } from '#contract/widget/widgets.ts'
import { resolveSettings } from './config.ts'
import { comesFromScript, fetchSettings } from './settings.ts'
import type { ParleyConfig, ParleyEvents } from './types.ts'
import { startWidget, type Widget } from './widget.ts'

/** The element id of the published script, which some pages use to hide or move the widget. */
const ID = 'PapercupsChatWidget'

type ExistingGlobal = { config?: ParleyConfig; q?: Iterable<unknown>[]; isOurs?: boolean } & Record<string, unknown>
type Listener = (payload: never) => void
export type Emit = <Name extends keyof ParleyEvents>(event: Name, payload?: ParleyEvents[Name]) => void

/** The configuration keys for callbacks, by the event that `on` accepts. */
export const CALLBACKS: Partial<Record<keyof ParleyEvents, keyof ParleyConfig>> = {
  ready: 'onChatLoaded',
  open: 'onChatOpened',
  close: 'onChatClosed',
  'message:sent': 'onMessageSent',
  'message:received': 'onMessageReceived',
}

/**
 * Installs `window.Parley` and runs the commands queued before. A second script on the page leaves the first one in
 * place. `brought` holds the widget settings that the server puts into a script whose address names the account.
 */
export function installParley(page: Window, scriptUrl: string, brought: EmbeddedSettings | undefined) {
  const globals = page as unknown as { Parley?: ExistingGlobal; Papercups?: ExistingGlobal }
  const before = globals.Parley
  if (before?.isOurs) return
  const commands = createCommands(scriptUrl, brought)
  const parley = (name: string, ...args: unknown[]) => {
    ;(commands[name as keyof typeof commands] as (...args: unknown[]) => void)(...args)
  }
  const { boot } = commands
  const config = before?.config ?? globals.Papercups?.config
  globals.Parley = Object.assign(parley, { config, isOurs: true }) as unknown as ExistingGlobal
  // Pages written for the release candidate call `init` on an object that they created themselves.
  globals.Papercups = { ...globals.Papercups, init: (more: ParleyConfig) => boot({ ...config, ...more }) }
  if (config) boot(config)
  for (const call of before?.q ?? []) parley(...(call as [string]))
  // Throw now where the account is missing: published scripts do, and nothing will call `boot` later.
  if (!config && !before?.q && !/widget-rc\.js/.test(scriptUrl)) resolveSettings({}, scriptUrl)
}

function createCommands(scriptUrl: string, brought: EmbeddedSettings | undefined) {
  let listeners: [event: string, listener: Listener][] = []
  let config: ParleyConfig = {}
  let hasBooted = false
  /** Commands run one after another, each with the widget that the previous one left. */
  let running: Promise<Widget | undefined> = Promise.resolve(undefined)

  const emit: Emit = (event, payload) => {
    for (const [received, listener] of [[event, config[CALLBACKS[event]!] as Listener] as const, ...listeners]) {
      // An exception in the page's callback must not break the widget.
      if (received === event) queueMicrotask(() => listener?.(payload as never))
    }
  }

  const next = (work: (widget: Widget | undefined) => Promise<Widget | undefined> | Widget | undefined) => {
    running = running.then(work).catch(console.error as () => undefined)
  }
  const withWidget = (work: (widget: Widget) => void) => () =>
    next((widget) => {
      if (widget) work(widget)
      return widget
    })
  const open = withWidget((widget) => widget.toggle(true, true))
  const close = withWidget((widget) => widget.toggle(false, true))

  function boot(newConfig: ParleyConfig = config) {
    // `identify` may be called before the first boot, so its customer is kept. Later boots start over.
    config = hasBooted ? newConfig : { ...config, ...newConfig }
    hasBooted = true
    // Invalid configuration throws here, in the page's own call.
    const settled = resolveSettings(config, scriptUrl)
    next(async (before) => {
      before?.leave()
      const settings = (comesFromScript(settled, scriptUrl) && brought) || (await fetchSettings(settled))
      // Used once: by a later boot the saved settings may have changed.
      brought = undefined
      const widget = startWidget(await placeOnPage(), settled, settings, emit)
      emit('ready', commands)
      return widget
    })
  }

  function update(changes: ParleyConfig) {
    const isOther = (['token', 'accountId', 'inbox', 'baseUrl'] as const).some(
      (key) => key in changes && changes[key] !== config[key],
    )
    config = { ...config, ...changes }
    if (isOther) return boot()
    withWidget((widget) => widget.update(resolveSettings(config, scriptUrl), changes))()
  }

  /** When the person changes, everything about the previous one is removed. */
  function identify(customer: NonNullable<ParleyConfig['customer']>, identityToken?: string) {
    update({ customer, identityToken })
  }

  const commands = {
    boot,
    update,
    identify,
    open,
    close,
    toggle: withWidget((widget) => widget.toggle(!widget.isOpen(), true)),
    show: withWidget((widget) => widget.setHidden(false)),
    hide: withWidget((widget) => widget.setHidden(true)),
    shutdown() {
      next((widget) => {
        widget?.signOut()
        return undefined
      })
    },
    on(event: string, listener: Listener) {
      listeners.push([event, listener])
    },
    off(event: string, listener: Listener) {
      listeners = listeners.filter((entry) => entry[0] !== event || entry[1] !== listener)
    },
  }
  return commands
}

/**
 * Puts our host element beside the body, once there is one: every move reloads the frame, and pages may replace their body
 * or hide its children while a dialog is open.
 */
async function placeOnPage(): Promise<HTMLElement> {
  if (!document.body) await new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
  const host = document.createElement('div')
  host.id = ID
  document.documentElement.append(host)
  return host
}
