import type { EmbeddedSettings } from '#contract/widgets.ts'
import { settle } from './config.ts'
import { comesFromScript, fetchSettings } from './settings.ts'
import type { ParleyConfig, ParleyEvents } from './types.ts'
import { startWidget, type Widget } from './widget.ts'

/** The published script's name, which some pages use to hide or move the widget. */
const ID = 'PapercupsChatWidget'

type Old = { config?: ParleyConfig; q?: Iterable<unknown>[]; isOurs?: boolean } & Record<string, unknown>
type Listener = (payload: never) => void
export type Emit = <Name extends keyof ParleyEvents>(event: Name, payload?: ParleyEvents[Name]) => void

/** The names under which a website gives its own functions for what `on` receives. */
export const CALLBACKS: Partial<Record<keyof ParleyEvents, keyof ParleyConfig>> = {
  ready: 'onChatLoaded',
  open: 'onChatOpened',
  close: 'onChatClosed',
  'message:sent': 'onMessageSent',
  'message:received': 'onMessageReceived',
}

/**
 * Puts `window.Parley` there and does what was asked of it before. A second script on the page finds the first one and
 * leaves it alone. `brought` is how the chat looks, where the script's address names its account.
 */
export function installParley(page: Window, scriptUrl: string, brought: EmbeddedSettings | undefined) {
  const globals = page as unknown as { Parley?: Old; Papercups?: Old }
  const before = globals.Parley
  if (before?.isOurs) return
  const commands = createCommands(scriptUrl, brought)
  const parley = (name: string, ...given: unknown[]) => {
    ;(commands[name as keyof typeof commands] as (...given: unknown[]) => void)(...given)
  }
  const { boot } = commands
  const config = before?.config ?? globals.Papercups?.config
  globals.Parley = Object.assign(parley, { config, isOurs: true }) as unknown as Old
  // Pages of the release candidate call this one on the object that they made themselves.
  globals.Papercups = { ...globals.Papercups, init: (more: ParleyConfig) => boot({ ...config, ...more }) }
  if (config) boot(config)
  for (const call of before?.q ?? []) parley(...(call as [string]))
  // Published scripts say so at once; those that wait for a call have a stub, or the other name.
  if (!config && !before?.q && !/widget-rc\.js/.test(scriptUrl)) settle({}, scriptUrl)
}

function createCommands(scriptUrl: string, brought: EmbeddedSettings | undefined) {
  let listeners: [event: string, listener: Listener][] = []
  let config: ParleyConfig = {}
  let hasBooted = false
  /** One command after another, each on what the one before has left. */
  let running: Promise<Widget | undefined> = Promise.resolve(undefined)

  const emit: Emit = (event, payload) => {
    for (const [received, listener] of [[event, config[CALLBACKS[event]!] as Listener] as const, ...listeners]) {
      // What breaks in the page's own functions breaks nothing of ours.
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

  function boot(given: ParleyConfig = config) {
    // Who was named before the first start is there. Later starts begin anew.
    config = hasBooted ? given : { ...config, ...given }
    hasBooted = true
    // A mistake is told where it was made.
    const settled = settle(config, scriptUrl)
    next(async (before) => {
      before?.leave()
      const settings = (comesFromScript(settled, scriptUrl) && brought) || (await fetchSettings(settled))
      // An hour later, when somebody else signs in, it may be another.
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
    withWidget((widget) => widget.update(settle(config, scriptUrl), changes))()
  }

  /** Another person than before finds nothing of who was here. */
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
      listeners = listeners.filter((one) => one[0] !== event || one[1] !== listener)
    },
  }
  return commands
}

/** An element of ours at the end of the body, once there is one. */
async function placeOnPage(): Promise<HTMLElement> {
  if (!document.body) await new Promise((there) => addEventListener('DOMContentLoaded', there))
  const host = document.createElement('div')
  host.id = ID
  document.body.append(host)
  return host
}
