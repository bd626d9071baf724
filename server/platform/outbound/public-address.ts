/** Whether others on the internet can call a server at this address: https, and a name that means something to everybody. */
export function isPublicAddress(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && hostname.includes('.') && !/^[\d.]+$|\.(local|lan|internal|test)$/.test(hostname)
}
