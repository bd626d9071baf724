import type { ParleyConfig } from './types.ts'

/** As lenient as published widgets: accounts that moved here keep their ids. */
const TOKEN = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * The configuration of a website with defaults filled in. `scriptUrl` is the loader's own address; its origin is the
 * server unless the page names another.
 * @throws Error when the account is missing or malformed
 */
export function resolveSettings(config: ParleyConfig, scriptUrl: string) {
  const token = config.token ?? config.accountId ?? ''
  if (!TOKEN.test(token)) throw new Error(`Invalid \`token\`: ${token || 'none'}`)
  const { side = config.position === 'left' ? 'left' : 'right', offset = 20 } = Object(config.position) as {
    side?: 'left' | 'right'
    offset?: number
  }
  return {
    ...config,
    token,
    // The page's language, where neither its configuration nor the snippet names one.
    language: config.language || globalThis.document?.documentElement.lang || undefined,
    base: new URL(config.baseUrl || scriptUrl, scriptUrl).origin,
    side,
    offset: Number(offset) || 0,
  }
}

export type ResolvedSettings = ReturnType<typeof resolveSettings>
