import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

const YEAR = 31_536_000

/**
 * Antd adds inline styles; everything else is served from here, including pictures of people (`/api/pictures`).
 * A chat of another installation may be framed and asked for its settings.
 */
const dashboardPolicy = (guest: string, files: string, { scripts = '', frames = '', connections = '' }: Allowed = {}) =>
  [
    "default-src 'none'",
    `script-src 'self' ${scripts}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: ${files}`,
    "font-src 'self'",
    `media-src 'self' blob: ${files}`,
    `connect-src 'self' ${[guest, connections].join(' ').trim()}`,
    `frame-src 'self' ${[guest, frames].join(' ').trim()}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ]
    .map((rule) => rule.trim())
    .join('; ')

/** Further origins that one page may use, separated by spaces. */
export interface Allowed {
  scripts?: string
  frames?: string
  connections?: string
}

/** The chat window is embedded in other websites, so anyone may frame it; it may load nothing external but pictures. */
const WIDGET_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const GUARDS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), payment=()',
}

/**
 * Serves the built files in `dist`: the widget's files to every site, and the dashboard for every path that is no call.
 * Names with a hash are cached for a year; the others for a minute. `files` is the origin of file addresses, `guest`
 * the only foreign origin whose chat the dashboard may show.
 */
export async function servePages(app: FastifyInstance, dist: string, files: string, guest: string | null) {
  const policy = dashboardPolicy(guest ?? '', files)
  const dashboard = resolve(dist, 'dashboard')
  const widget = resolve(dist, 'widget')
  const root = [dashboard, widget].filter(existsSync)
  if (root.length === 0) return { sendDashboard: answerNotBuilt, sendWidget: answerNotBuilt }
  await app.register(staticFiles, {
    root,
    index: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const headers = path.startsWith(widget) ? widgetHeaders(path) : dashboardHeaders(path, policy)
      // A page with its own policy has set it already.
      for (const [name, value] of Object.entries(headers)) if (!reply.hasHeader(name)) reply.header(name, value)
    },
  })
  // Otherwise `/` is forbidden, because folders are not listed.
  app.get('/', (_request, reply) => reply.sendFile('index.html', dashboard))
  // Papercups' release candidate had another file name.
  const sendWidget = (reply: FastifyReply) => reply.sendFile('widget.js', widget)
  app.get('/widget-rc.js', (_request, reply) => sendWidget(reply))
  // Papercups' recorder without a key had another file name.
  app.get('/storytime-v0.js', (_request, reply) => reply.sendFile('storytime.js', widget))
  app.get('/chat', (_request, reply) => reply.sendFile('chat/index.html', widget))
  return {
    /** The dashboard's only page, for every path: routing happens in the browser. */
    sendDashboard(reply: FastifyReply, allowed?: Allowed) {
      if (allowed) reply.header('content-security-policy', dashboardPolicy(guest ?? '', files, allowed))
      return reply.sendFile('index.html', dashboard)
    },
    /** The built script that websites load. */
    sendWidget,
  }
}

function answerNotBuilt(reply: FastifyReply) {
  return reply.status(503).type('text/plain').send('The dashboard is not built yet. Run `npm run build`.')
}

function dashboardHeaders(path: string, policy: string): Record<string, string> {
  return { ...GUARDS, ...caching(path), ...(isPage(path) && { 'content-security-policy': policy }) }
}

/** Headers for files that every website may load: the widget's files, and what is made of them. */
export function widgetHeaders(path: string): Record<string, string> {
  return {
    ...caching(path),
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    ...(isPage(path) && {
      'content-security-policy': WIDGET_CSP,
      // Pages that are isolated from other origins show only frames that are as well. Pictures of people may come from
      // anywhere, which `require-corp` would forbid.
      'cross-origin-embedder-policy': 'credentialless',
    }),
  }
}

function isPage(path: string): boolean {
  return /\.html(\.\w+)?$/.test(path)
}

function caching(path: string) {
  const isHashed = /[\\/]assets[\\/]/.test(path)
  // Browsers ask for a newer service worker; an old one must not come out of a cache on the way.
  if (/[\\/]sw\.js(\.\w+)?$/.test(path)) return { 'cache-control': 'no-cache' }
  return { 'cache-control': isHashed ? `public, max-age=${YEAR}, immutable` : 'public, max-age=60, must-revalidate' }
}
