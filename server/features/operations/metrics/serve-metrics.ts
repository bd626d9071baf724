import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { authorizeScraper } from './admit-scraper.ts'
import type { Registry } from './registry.ts'

/**
 * `/metrics` for Prometheus. The library and the counting of requests start with the first scrape, so that unmonitored
 * installations pay nothing.
 */
export function serveMetrics(app: FastifyInstance, context: Context): void {
  let registry: Promise<Registry> | undefined
  let counted: Registry | undefined

  async function open(): Promise<Registry> {
    const { openRegistry } = await import('./registry.ts')
    counted = openRegistry(context)
    return counted
  }

  app.addHook('onResponse', async (request, reply) => {
    counted?.countRequest({
      method: request.method,
      // The route's pattern, so that labels contain no ids.
      route: request.routeOptions.url ?? 'none',
      status: String(reply.statusCode),
      seconds: reply.elapsedTime / 1000,
    })
  })
  app.get('/metrics', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    authorizeScraper(context.config, { headers: request.headers, peer: request.socket.remoteAddress })
    registry ??= open()
    const figures = await (await registry).read()
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(figures)
  })
}
