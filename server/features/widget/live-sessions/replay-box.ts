import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Context, perServer } from '../../../context.ts'

interface Box {
  page: string
  policy: string
}

const box = perServer(({ dist }) => {
  let made: Promise<Box> | undefined
  return () => (made ??= makeBox(dist))
})

/**
 * The page that draws visitors' pages, in a frame of the dashboard. It has no origin, so it cannot access the
 * dashboard; it loads nothing, contacts no host, and runs a single script, allowed by its hash.
 */
export function serveReplayBox(app: FastifyInstance, context: Context) {
  app.get('/replay.html', async (_request, reply) => {
    const { page, policy } = await box(context)()
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': policy,
        'cache-control': 'public, max-age=60, must-revalidate',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-dns-prefetch-control': 'off',
      })
      .send(page)
  })
}

async function makeBox(dist: string): Promise<Box> {
  const built = await readFile(resolve(dist, 'replay-box/box.js'), 'utf8')
  // No text in it may close the script element.
  const script = built.replaceAll('</script', '<\\/script')
  const sum = createHash('sha256').update(script).digest('base64')
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${sum}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ')
  return {
    policy,
    page: `<!doctype html><html lang="en"><head><title>Replay</title></head><body><script>${script}</script></body></html>`,
  }
}
