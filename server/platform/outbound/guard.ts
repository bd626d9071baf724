import { lookup as resolve } from 'node:dns'
import { BlockList } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Why an address must not be called. */
export class AddressRefused extends Error {}

/** Decides which hosts and addresses our requests may reach. */
export interface Guard {
  /** Throws `AddressRefused` for a URL that is not http(s), contains a password, or names a private address. */
  checkUrl(url: URL): void
  /** Throws `AddressRefused` for a literal private address, which needs no look-up. */
  checkHost(host: string): void
  /** Like `dns.lookup`, for connections: fails if the name resolves to a private address. */
  lookup: typeof resolve
}

/**
 * Allows public addresses only, whatever a name resolves to at the time of connecting. `reachable` lists private hosts
 * (`mattermost.lan`) and networks (`10.1.0.0/16`) that the operator allows nevertheless.
 */
export function createGuard(reachable: string[]): Guard {
  const hosts = new Set<string>()
  const networks = new BlockList()
  for (const entry of reachable) {
    const network = readNetwork(entry)
    if (network) networks.addSubnet(network.address, network.bits, network.family)
    else hosts.add(entry.toLowerCase())
  }

  function isReachable(address: string): boolean {
    const family = ipaddr.process(address).kind()
    return isPublic(address) || networks.check(ipaddr.process(address).toString(), family)
  }

  const lookup = ((hostname: string, options: object, done: (error: Error | null, ...answer: unknown[]) => void) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error)
      const allowed = hosts.has(hostname.toLowerCase())
        ? addresses
        : addresses.filter(({ address }) => isReachable(address))
      const [first] = allowed
      if (!first) return done(new AddressRefused(refusal(hostname)))
      if ('all' in options && options.all) return done(null, allowed)
      return done(null, first.address, first.family)
    })
  }) as typeof resolve

  function checkHost(host: string): void {
    if (ipaddr.isValid(host) && !hosts.has(host.toLowerCase()) && !isReachable(host))
      throw new AddressRefused(refusal(host))
  }

  return {
    checkHost,
    checkUrl(url) {
      if (!/^https?:$/.test(url.protocol)) throw new AddressRefused('The URL must begin with http:// or https://.')
      if (url.username || url.password) throw new AddressRefused('The URL must not contain a user name or password.')
      checkHost(url.hostname.replace(/^\[|\]$/g, ''))
    },
    lookup,
  }
}

/** Whether an entry can name a private host or network. */
export function isHostOrNetwork(entry: string): boolean {
  return readNetwork(entry) !== undefined || /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(entry)
}

function readNetwork(entry: string) {
  const [text = '', size] = entry.split('/')
  if (!ipaddr.isValid(text)) return undefined
  const address = ipaddr.process(text)
  const maxBits = address.kind() === 'ipv4' ? 32 : 128
  const bits = size === undefined ? maxBits : Number(size)
  if (!Number.isInteger(bits) || bits < 0 || bits > maxBits) return undefined
  return { address: address.toString(), bits, family: address.kind() }
}

/** Neither private, loopback, link-local, shared, reserved, nor an IPv6 form of such a one. */
function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address)
  // The library treats the obsolete IPv6 form of IPv4 addresses (`::10.0.0.1`) as an ordinary address.
  if (parsed instanceof ipaddr.IPv6 && parsed.match(OLD_IPV4_FORM)) return false
  return parsed.range() === 'unicast'
}

/** Whether the peer of a connection is this machine or in a private network. */
export function isPrivateAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(address).range())
}

const OLD_IPV4_FORM = ipaddr.IPv6.parseCIDR('::/96')

function refusal(host: string): string {
  return `${host} is a private address, which may not be called. The operator of this server can allow it with REACHABLE_HOSTS.`
}
