import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import type { PageTools } from '../../../feature.ts'
import type { Allowed } from '../../../platform/http/pages.ts'

/** The page inside a frame of the billing page. Only this page may load the provider's script and frames. */
export function openCardPage(app: FastifyInstance, { config }: Context, { sendDashboard }: PageTools): void {
  if (!config.billing) return
  const allowed = originsOf(config.stripeJsUrl)
  app.get('/settings/billing/card', (_request, reply) => sendDashboard(reply, allowed))
}

/** The origins that Stripe documents for content security policies; another script only uses its own origin. */
function originsOf(script: string): Allowed {
  const { origin, hostname } = new URL(script)
  if (hostname !== 'js.stripe.com') return { scripts: origin, frames: origin, connections: origin }
  const scripts = 'https://js.stripe.com https://*.js.stripe.com'
  return { scripts, frames: `${scripts} https://hooks.stripe.com`, connections: 'https://api.stripe.com' }
}
