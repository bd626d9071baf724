/** Whether this address can be called from the internet: it uses https and a public name. */
export function isPublicAddress(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && hostname.includes('.') && !/^[\d.]+$|\.(local|lan|internal|test)$/.test(hostname)
}
