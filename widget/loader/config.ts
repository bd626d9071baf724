/** What a website says about its chat, in `window.Parley.config` or the older `window.Papercups.config`. */
export interface Config {
  token?: string
  /** The older name of `token`. */
  accountId?: string
  inbox?: string
  baseUrl?: string
  title?: string
  subtitle?: string
  primaryColor?: string
  greeting?: string
  newMessagePlaceholder?: string
  agentAvailableText?: string
  agentUnavailableText?: string
  showAgentAvailability?: boolean
  language?: string
  customer?: Record<string, unknown>
  position?: Side | { side?: Side; offset?: number }
  defaultIsOpen?: boolean
  isOpenByDefault?: boolean
  persistOpenState?: boolean
  hideToggleButton?: boolean
  iconVariant?: 'outlined' | 'filled'
}

type Side = 'left' | 'right'
type Global = { config?: Config } | undefined

/** The form that published widgets accept, no stricter: accounts moved here keep the ids they have. */
const TOKEN = /^[\da-f]{8}-[\da-f]{4}-[0-5][\da-f]{3}-[089ab][\da-f]{3}-[\da-f]{12}$/i

/**
 * Reads the page's configuration. `scriptUrl` is where the loader itself came from, whose origin is the server unless
 * the page names another.
 * @throws Error when the account is missing or malformed
 */
export function readConfig(page: { Parley?: Global; Papercups?: Global }, scriptUrl: string) {
  const config = page.Parley?.config ?? page.Papercups?.config ?? {}
  const token = config.token ?? config.accountId ?? ''
  if (!TOKEN.test(token)) throw new Error(`Invalid \`token\`: ${token || 'missing'}. Expected the id of your account.`)
  const { side = config.position === 'left' ? 'left' : 'right', offset = 20 } = Object(config.position) as {
    side?: Side
    offset?: number
  }
  return {
    ...config,
    token,
    base: new URL(config.baseUrl || scriptUrl, scriptUrl).origin,
    side,
    offset: Number(offset) || 0,
  }
}

export type Settled = ReturnType<typeof readConfig>
