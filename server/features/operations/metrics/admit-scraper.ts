import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../../config.ts'
import { Refusal } from '../../../errors.ts'
import { isPrivateAddress } from '../../../platform/outbound/guard.ts'

/** Headers that proxies add for forwarded requests. */
const OF_PROXIES = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/**
 * Checks access to the metrics of the whole installation. With METRICS_TOKEN: whoever sends it. Without: programs on
 * this machine or in a private network whose request was not forwarded. Behind a proxy, which HTTPS and TRUST_PROXY
 * tell, there is no such program: a proxy may forward requests without any header that says so.
 * @throws Refusal
 */
export function authorizeScraper(
  { metricsToken: token, trustProxy, baseUrl }: Pick<Config, 'metricsToken' | 'trustProxy' | 'baseUrl'>,
  { headers, peer }: { headers: IncomingHttpHeaders; peer: string | undefined },
): void {
  if (token) {
    const presented = /^Bearer\s+(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    if (!isSame(presented, token))
      throw new Refusal(401, 'The token is missing or wrong. Send the value of METRICS_TOKEN.')
    return
  }
  const isProxied = OF_PROXIES.some((name) => headers[name] !== undefined)
  if (trustProxy > 0 || baseUrl.startsWith('https:'))
    throw new Refusal(403, 'Behind a proxy, metrics can be read only with a token: set METRICS_TOKEN.')
  if (!isProxied && peer && isPrivateAddress(peer)) return
  throw new Refusal(403, 'Metrics can be read only from this machine or its private network, or with METRICS_TOKEN.')
}

/** In constant time. */
function isSame(presented: string, expected: string): boolean {
  const sum = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(sum(presented), sum(expected))
}
