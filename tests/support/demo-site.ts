import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'

const files = resolve(import.meta.dirname, '../../widget/demo-site')
const TYPES: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript' }

export interface DemoSiteOptions {
  /** Address of Parley, such as `http://localhost:4000`. */
  server: string
  /** The account's id. */
  token: string
  inbox?: string
  /** 0 takes any free port. */
  port: number
  /** The global variable with the page's configuration; old websites use `Papercups`. */
  global?: 'Parley' | 'Papercups'
  /** Further options of the widget, such as `{ title: 'Ask us' }`. */
  config?: Record<string, unknown>
}

/**
 * Serves a demo shop that embeds the widget, from an origin of its own and with a content security policy that allows
 * what the installation page asks for and nothing more.
 */
export async function startDemoSite(options: DemoSiteOptions): Promise<{ url: string; close: () => Promise<void> }> {
  const site = createServer(async ({ url = '/' }, response) => {
    const name = new URL(url, 'http://site').pathname.slice(1) || 'index.html'
    if (name === 'embed.js') return response.writeHead(200, headers(options, 'js')).end(writeEmbed(options))
    if (name !== 'index.html' && name !== 'style.css') return response.writeHead(404).end()
    response.writeHead(200, headers(options, name.split('.')[1]!)).end(await readFile(resolve(files, name)))
  })
  await new Promise<void>((listening, failed) => {
    site.once('error', failed)
    site.listen(options.port, '127.0.0.1', listening)
  })
  return {
    url: `http://localhost:${(site.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        site.close(() => closed())
        site.closeAllConnections()
      }),
  }
}

function headers({ server }: DemoSiteOptions, ending: string) {
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${server}`,
    `connect-src ${server}`,
    `frame-src ${server}`,
    "style-src 'self'",
    "img-src 'self' data:",
  ]
  return {
    'content-type': `${TYPES[ending]}; charset=utf-8`,
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
  }
}

/** The website's embed code, as a file because its policy allows no inline script. */
function writeEmbed({ server, token, inbox, global = 'Parley', config }: DemoSiteOptions): string {
  const settings = JSON.stringify({ config: { token, inbox, baseUrl: server, ...config } }, null, 2)
  const address = `${server}/widget.js?token=${token}${inbox ? `&inbox=${inbox}` : ''}`
  return `window.${global} = ${settings}

const script = document.createElement('script')
script.src = ${JSON.stringify(address)}
script.async = true
document.head.append(script)
`
}
