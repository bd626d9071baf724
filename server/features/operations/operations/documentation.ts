import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { features } from '#contract/index.ts'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../errors.ts'
import { describeApi } from '../../../platform/http/openapi.ts'
import { readSchemas } from './schema-names.ts'

/** The page only requests its own server. Its library adds inline styles and draws icons from data URLs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. Programs read <a href="/api/openapi.json">openapi.json</a>.</noscript>
<script src="/api/docs/reference.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>`

/** Nothing is loaded from elsewhere: no fonts, no request proxy, no telemetry, no registry of the library's maker. */
const START = `Scalar.createApiReference('#reference', {
  url: '/api/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  operationTitleSource: 'path',
  authentication: { preferredSecurityScheme: 'apiKey' },
})
`

/**
 * The contract for programs (OpenAPI), and a page to read, search and try it. The build copies the page's library
 * beside the dashboard; the document is generated on first use.
 */
export function serveDocumentation(app: FastifyInstance, { config, version, dist }: Context): void {
  let written: Promise<string> | undefined
  const write = async () =>
    JSON.stringify(describeApi({ features, schemas: await readSchemas() }, version, config.baseUrl))
  app.get('/api/openapi.json', async (_request, reply) => {
    written ??= write()
    return reply.type('application/json; charset=utf-8').send(await written)
  })
  app.get('/api/docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(PAGE),
  )
  app.get('/api/docs/start.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(START))
  const folder = resolve(dist, 'api-docs')
  app.get('/api/docs/reference.js', (_request, reply) => {
    if (!existsSync(folder)) throw new Refusal(503, 'The documentation is not built yet. Run `npm run build`.')
    return reply.sendFile('reference.js', folder)
  })
}
