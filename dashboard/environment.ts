/** What the server tells this page about the installation, through `/env.js`. Most keys are those of the old wire. */
interface Environment {
  REACT_APP_DEBUG_MODE_ENABLED?: string | null
  PARLEY_BILLING_ENABLED?: string | null
  /** `1`, or the accounts that may attach files with commas between them. */
  REACT_APP_FILE_UPLOADS_ENABLED?: string | null
}

declare global {
  var __ENV__: Environment | undefined
}

const environment: Environment = globalThis.__ENV__ ?? {}

/** Asked for by the address the page was opened with; it holds until the page is left. */
const isDebugAsked = new URLSearchParams(globalThis.location?.search).get('debug') === '1'

/** In debug mode errors also show a notification. */
export function isDebugging(): boolean {
  return isDebugAsked || isOn(environment.REACT_APP_DEBUG_MODE_ENABLED)
}

export function isBillingEnabled(): boolean {
  return isOn(environment.PARLEY_BILLING_ENABLED)
}

/** Whether this account may attach files. */
export function mayUpload(account_id: string, allowed = environment.REACT_APP_FILE_UPLOADS_ENABLED): boolean {
  return isOn(allowed) || !!allowed?.split(',').some((id) => id.trim() === account_id)
}

function isOn(flag: string | null | undefined): boolean {
  return flag === '1' || flag === 'true'
}
