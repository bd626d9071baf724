import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, Provider } from 'oidc-provider'

/** A running `oidc-provider`, an implementation that OpenID has certified. Its development pages accept any login. */
export interface RealProvider {
  issuer: string
  close(): Promise<void>
}

/** The provider warns about each lifetime that is not set. */
const LIFETIMES = { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 }

/** Starts the real provider, with its own defaults except for what a test sets. */
export async function startOidcProvider(configuration: Configuration): Promise<RealProvider> {
  const server = createServer((request, response) => provider.callback()(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, { ttl: LIFETIMES, ...configuration })
  return {
    issuer,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Signs in on the provider's pages as a person does: enters a login, consents, and follows redirects.
 * @returns the address to which the provider sends the browser back, which begins with `redirect_uri`
 */
export async function signInAtProvider(start: string, login: string, redirect_uri: string): Promise<string> {
  const cookies = new Map<string, string>()
  let address = start
  let form: Record<string, string> | undefined
  for (let step = 0; step < 20 && !address.startsWith(redirect_uri); step++) {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    form = location ? undefined : { prompt: readPrompt(await response.text()), login, password: 'any' }
    if (location) address = new URL(location, address).href
  }
  return address
}

/** The question of a page: `login` or `consent`. */
function readPrompt(page: string): string {
  const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? []
  if (!prompt) throw new Error(`The provider shows no form: ${page.slice(0, 500)}`)
  return prompt
}
