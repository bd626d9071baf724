import ipaddr from 'ipaddr.js'

/** Of eight groups of an IPv6 address, those that name a network; a household or a machine has all addresses below it. */
const NETWORK_GROUPS = 4

/**
 * What limits count as one place: an IPv4 address, also when it is written as IPv6, or the /64 network of an IPv6
 * address. What is no address is taken as it stands.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}
