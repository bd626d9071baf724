import { isSupported } from '../supported.ts'
import { describeBrowser } from './describe.ts'
import { openSocket } from './socket.ts'
import { isRefused, knownCustomer, storeCustomer, storeRefusal, tabToken } from './tab.ts'
import type { RecorderConfig, Recording, RecordingOptions, Storytime } from './types.ts'

// Only available while the script runs for the first time.
const script = document.currentScript as HTMLScriptElement | null
const RETRY_MS = 30_000

type Module = { startRecording(options: RecordingOptions, keepsLastMinute: boolean): Recording }
type StartedSession = { id: string; recorder: { shows_sign: boolean; keeps_last_minute: boolean } }
type Globals = Record<'Papercups' | 'Parley', { config?: RecorderConfig } | undefined> & { Storytime?: Storytime }
const page = window as unknown as Globals

/** The browser's Do Not Track and Global Privacy Control settings win over the website's configuration. */
function hasOptedOut(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean }
  return doNotTrack === '1' || !!globalPrivacyControl
}

function install() {
  if (page.Storytime?.initialized) return
  const source = script?.src || location.href
  // A regular expression, because `URL` takes longer than the rest of this function.
  const [, account] = /[?&]account=([^&#]*)/.exec(source) ?? []
  const config: RecorderConfig = {
    accountId: account,
    ...page.Parley?.config,
    ...page.Papercups?.config,
  }
  const account_id = config.accountId ?? config.token
  if (!account_id) throw new Error('An account token is required to start Storytime!')
  const base = config.baseUrl ? new URL(config.baseUrl, source).origin : source.split('/', 3).join('/')
  let end: (() => void) | undefined
  let isStarting = false
  const storytime: Storytime = {
    initialized: true,
    finish: () => end?.(),
    async start() {
      if (isStarting || hasOptedOut() || isRefused()) return
      isStarting = true
      isStarting = !config.consent || !!(await config.consent())
      if (isStarting) await begin()
    },
  }
  async function begin() {
    end = await record(base, account_id!, config, () => setTimeout(() => begin().catch(console.error), RETRY_MS))
  }
  page.Storytime = storytime
  storytime.start().catch(console.error)
}

async function call<Data>(address: string, body: object): Promise<Data> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`Storytime: ${(await answer.json()).error?.message}`)
  return (await answer.json()).data
}

/**
 * Starts a session in this tab. Returns a function that ends it. `again` is called when the server no longer knows the
 * session.
 */
async function record(
  base: string,
  account_id: string,
  { customer, blocklist = [] }: RecorderConfig,
  again: () => void,
) {
  const token = await tabToken()
  const customer_id = await findCustomer(base, account_id, customer)
  const { id, recorder } = await call<StartedSession>(`${base}/api/browser_sessions`, {
    browser_session: { account_id, customer_id, token, metadata: describeBrowser() },
  })
  const beacon = (verb: string, fields: Record<string, string> = {}) =>
    navigator.sendBeacon(`${base}/api/browser_sessions/${id}/${verb}`, new URLSearchParams({ token, ...fields }))

  let recording: Promise<Recording> | undefined
  const socket = openSocket(
    base,
    `events:${account_id}:${id}`,
    { token },
    {
      joined: sendActivity,
      watched(watchers, isNew) {
        if (watchers || recording) load().then((loaded) => loaded.watch(watchers, isNew), console.error)
      },
      lost() {
        leave()
        again()
      },
    },
  )
  const events = new AbortController()
  const on = (target: EventTarget, name: string, listen: (event: Event) => void) =>
    target.addEventListener(name, listen, { signal: events.signal })

  function sendActivity() {
    const { pathname } = location
    socket.push(`session:${document.hidden ? 'in' : ''}active`, JSON.stringify({ ts: Date.now(), pathname }))
  }
  function load() {
    const { push, waiting } = socket
    recording ??= import(/* @vite-ignore */ `${base}/storytime-recorder.js`).then(({ startRecording }: Module) =>
      startRecording(
        { push, waiting, blocklist, showsSign: recorder.shows_sign, stop: declineRecording },
        recorder.keeps_last_minute,
      ),
    )
    return recording
  }
  function leave() {
    events.abort()
    recording?.then((loaded) => loaded.end())
    socket.close()
  }
  function finish() {
    beacon('finish')
    leave()
  }
  function declineRecording() {
    storeRefusal()
    finish()
  }

  if (recorder.keeps_last_minute) load().catch(console.error)
  on(document, 'visibilitychange', sendActivity)
  // Single-page applications change views without loading a page.
  on(window, 'popstate', sendActivity)
  const { navigation } = window as unknown as { navigation?: EventTarget }
  if (navigation) on(navigation, 'currententrychange', sendActivity)
  on(window, 'papercups:customer:set', (event) => {
    beacon('identify', { customer_id: (event as CustomEvent<string | null>).detail ?? '' })
  })
  on(window, 'pagehide', () => beacon('finish'))
  return finish
}

/**
 * The customer known to this website's chat; otherwise the one that the website names, if it has an external id or
 * email.
 */
async function findCustomer(base: string, account_id: string, customer: Record<string, unknown> = {}) {
  const { external_id, email } = customer
  const storedId = knownCustomer()
  if (!external_id && (storedId || !email)) return storedId
  const identified = await call<{ id: string }>(`${base}/api/customers`, {
    customer: { ...describeBrowser(), ...customer, account_id },
  })
  storeCustomer(identified.id)
  return identified.id
}

if (isSupported()) install()
