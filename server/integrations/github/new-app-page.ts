import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { findChosenLanguage } from '../../features/accounts/users/user-settings.ts'
import { findStart } from '../../features/connections/authorizations/oauth-starts.ts'
import { translate } from '../../features/mail/mails/translate.ts'
import { chooseServerLanguage, directionOf } from '../../languages.ts'
import { appManifest } from './app.ts'

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * A page that submits the app's manifest to GitHub by a form, which the dashboard's content security policy forbids.
 * Opening it requires a state just given to an admin, and it contains nothing that GitHub would not show.
 */
export function openNewAppPage(app: FastifyInstance, context: Context) {
  app.get<{ Querystring: { state?: string } }>('/api/github/new_app', async ({ query, headers }, reply) => {
    const { githubUrl, baseUrl } = context.config
    const start = typeof query.state === 'string' ? await findStart(context.db, query.state) : undefined
    if (!start) return reply.redirect(`${baseUrl}/integrations/github`, 303)
    const target = `${githubUrl}/settings/apps/new?state=${encodeURIComponent(query.state!)}`
    const manifest = JSON.stringify(appManifest(context, start.account_id))
    const chosen = await findChosenLanguage(context.db, start.account_id, start.user_id)
    const ofBrowser = (headers['accept-language'] ?? '').split(',').map((range) => range.split(';')[0]!.trim())
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'unsafe-inline'; form-action ${new URL(githubUrl).origin}; base-uri 'none'; frame-ancestors 'none'`,
      )
      .send(pageOf(target, manifest, chooseServerLanguage([chosen, ...ofBrowser])))
  })
}

function pageOf(target: string, manifest: string, language: string): string {
  const title = translate(language, 'github_app_title')
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem }
button { font: inherit; font-weight: 600; padding: .6rem 1.2rem; border: 0; border-radius: .5rem; color: #fff; background: #1f2328; cursor: pointer }
button:focus-visible { outline: 3px solid #0969da; outline-offset: 2px }
@media (prefers-color-scheme: dark) { button { color: #1f2328; background: #f0f6fc } }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${translate(language, 'github_app_text')}</p>
<form method="post" action="${escapeHtml(target)}">
<input type="hidden" name="manifest" value="${escapeHtml(manifest)}">
<button type="submit" autofocus>${translate(language, 'github_app_button')}</button>
</form>
</main>
</body>
</html>`
}
