import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { oidc } from '#contract/accounts/oidc.ts'
import { twoFactor } from '#contract/accounts/two-factor.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { pruneExpiredSessions } from './auth-sessions.ts'
import { pruneTokens } from './one-time-tokens.ts'
import { registerAuthSessionsRoutes } from './routes.ts'
import { twoFactorSecrets } from './two-factor.ts'

export const authSessionsFeature = defineFeature({
  name: 'auth-sessions',
  calls: [authSessions, oidc, twoFactor],
  routes: [registerAuthSessionsRoutes],
  schedules: [
    defineSchedule('authSessions.pruneExpired', '17 * * * *', ({ db }) => pruneExpiredSessions(db)),
    defineSchedule('authSessions.pruneTokens', '47 * * * *', ({ db }) => pruneTokens(db)),
  ],
  encryptedColumns: [twoFactorSecrets],
})
