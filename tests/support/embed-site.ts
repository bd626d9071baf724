import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { gzipSync } from 'node:zlib'

export interface EmbedSite {
  url: string
  /** Requested paths, in order. */
  requests: string[]
  close: () => Promise<void>
}

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

/**
 * A third-party website: files by path, from an origin of its own. Its policy allows the server what the installation
 * page asks for, and nothing inline.
 */
export async function startEmbedSite(
  server: string,
  files: Record<string, string>,
  { style = "'self'", frames = '' }: { style?: string; frames?: string } = {},
): Promise<EmbedSite> {
  const requests: string[] = []
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${server}`,
    `connect-src ${server} ${server.replace('http', 'ws')}`,
    `frame-src ${server} ${frames}`,
    "img-src 'self' data:",
    `style-src ${style}`,
  ].join('; ')
  const site = createServer(({ url = '/' }, response) => {
    const path = new URL(url, 'http://site').pathname
    requests.push(path)
    const type = TYPES[extname(path)]
    const text = files[path] ?? (type ? undefined : files['/'])
    if (text === undefined) return response.writeHead(404).end()
    const headers = {
      'content-type': `${type ?? 'text/html'}; charset=utf-8`,
      'content-encoding': 'gzip',
      'cache-control': 'no-store',
    }
    response.writeHead(200, { ...headers, 'content-security-policy': policy }).end(gzipSync(text))
  })
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
  return {
    url: `http://localhost:${(site.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        site.close(() => closed())
        site.closeAllConnections()
      }),
  }
}

/** A page that loads scripts in order. */
export function writePage(...scripts: string[]): string {
  const tags = scripts.map((src) => `<script src="${src}"></script>`).join('\n')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"></head><body><main><h1>Shop</h1><p>Bowls and cups.</p><div id="app"></div></main>
${tags}</body></html>`
}

/** The stub that a website puts on its pages, in a file because its policy allows nothing inline. */
export const STUB = 'window.Parley=window.Parley||Object.assign(function(){Parley.q.push(arguments)},{q:[]});'
