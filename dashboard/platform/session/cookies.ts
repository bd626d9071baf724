/** The value of a cookie in a cookie header, or undefined. */
export function readCookie(cookies: string, name: string): string | undefined {
  const match = cookies.split('; ').find((cookie) => cookie.startsWith(`${name}=`))
  const value = match?.slice(name.length + 1)
  try {
    return value && decodeURIComponent(value)
  } catch {
    return value
  }
}

/** The parent domain of a host name, if any: `example.com` for `app.example.com`. */
export function parentDomain(hostname: string): string | undefined {
  const labels = hostname.split('.')
  const isAddress = /^[\d.]+$|:/.test(hostname)
  if (isAddress || labels.length < 2) return undefined
  return labels.length > 2 ? labels.slice(1).join('.') : hostname
}

/** Stores this page's address for the sign-in page, in a cookie for as wide a domain as the browser allows. */
export function storeNextAddress(page: { cookie: string } = document, { href, hostname } = location) {
  const cookie = `next=${encodeURIComponent(href)}; path=/; SameSite=Lax; max-age=3600`
  const domain = parentDomain(hostname)
  if (domain) page.cookie = `${cookie}; domain=${domain}`
  // Browsers refuse public suffixes such as `co.uk`.
  if (!readCookie(page.cookie, 'next')) page.cookie = cookie
}
