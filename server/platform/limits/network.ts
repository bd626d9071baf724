import ipaddr from 'ipaddr.js'

/** Number of groups of an IPv6 address that identify a network; a household or a machine has all addresses in it. */
const NETWORK_GROUPS = 4

/**
 * The unit that limits count: an IPv4 address, even if written as IPv6, or the /64 network of an IPv6 address. Other
 * texts are returned unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}
