import type { FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'
import { isPrivateAddress } from '../outbound/guard.ts'

/**
 * Says once in the log that requests come through more proxies than TRUST_PROXY counts: the address of a visitor is then
 * that of a proxy, and all visitors share one rate limit.
 */
export function createProxyHint(log: Log, trustedProxies: number): (request: FastifyRequest) => void {
  let isSaid = false
  return ({ ip, headers }) => {
    const forwarded = headers['x-forwarded-for']
    if (isSaid || !forwarded) return
    const hops = String(forwarded).split(',').length
    // A visitor may send the header, too, but not from the address of a proxy in the own network.
    if (hops <= trustedProxies || !isPrivateAddress(ip)) return
    isSaid = true
    log.warn(
      { address: ip, hops },
      `Visitors seem to come from the address of a proxy, and share one rate limit: TRUST_PROXY is ${trustedProxies}; set it to the number of proxies in front of Parley, here probably ${hops}`,
    )
  }
}
