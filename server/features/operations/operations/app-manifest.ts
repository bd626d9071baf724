import type { FastifyInstance } from 'fastify'
import { chooseServerLanguage, directionOf } from '../../../languages.ts'
import { translate } from '../../mail/mails/translate.ts'

/** The page's colour, as in `dashboard/ui/tokens.ts`: behind the icon while the installed app starts. */
const PAGE = '#f8f6f2'

/**
 * Serves the manifest by which browsers install the dashboard as an app, in the language of the browser that asks.
 * Its icons are files of the dashboard.
 */
export function serveAppManifest(app: FastifyInstance): void {
  app.get('/manifest.webmanifest', (request, reply) => {
    const preferred = (request.headers['accept-language'] ?? '').split(',').map((range) => range.split(';')[0]!.trim())
    return reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .header('vary', 'accept-language')
      .send(JSON.stringify(appManifest(chooseServerLanguage(preferred))))
  })
}

function appManifest(language: string) {
  return {
    // Without it, an app would be another one as soon as its first page has another address.
    id: '/',
    name: 'Parley',
    short_name: 'Parley',
    lang: language,
    dir: directionOf(language),
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: PAGE,
    theme_color: PAGE,
    categories: ['business', 'productivity'],
    icons: [
      iconOf('/icon-192.png', 192),
      iconOf('/icon-512.png', 512),
      { ...iconOf('/icon-maskable-512.png', 512), purpose: 'maskable' },
    ],
    shortcuts: [
      { name: translate(language, 'app_shortcut_me'), url: '/conversations/me', icons: [iconOf('/icon-192.png', 192)] },
      {
        name: translate(language, 'app_shortcut_unassigned'),
        url: '/conversations/unassigned',
        icons: [iconOf('/icon-192.png', 192)],
      },
    ],
  }
}

function iconOf(src: string, size: number) {
  return { src, sizes: `${size}x${size}`, type: 'image/png' }
}
