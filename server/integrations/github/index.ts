import { github } from '#contract/integrations/github.ts'
import { defineFeature } from '../../feature.ts'
import type { Integration } from '../../integration.ts'
import { appToken } from './app.ts'
import { callGithub, checkGrant, type GithubConnection } from './client.ts'
import { githubConsent } from './connect.ts'
import { receiveFromGithub } from './incoming.ts'
import { deleteRepositories } from './issues.ts'
import { findIssues, linkIssues } from './linking.ts'
import { openNewAppPage } from './new-app-page.ts'
import { deliverIssueState, plan } from './outgoing.ts'
import { pollGithub } from './polling.ts'
import { registerGithubRoutes } from './routes.ts'
import { githubSignature } from './webhook.ts'

const integration: Integration<GithubConnection> = {
  name: 'github',
  role: 'none',
  transport: 'polled',
  consent: githubConsent,
  poll: pollGithub,
  receive: receiveFromGithub,
  plan,
  deliver: deliverIssueState,
  async test(context, connection) {
    deleteRepositories(context, connection.id)
    await checkGrant(context, connection)
  },
  async revoke(context, { credentials }) {
    // A token belongs to its owner, who may use it elsewhere.
    if (credentials.kind !== 'app') return
    const path = `/app/installations/${encodeURIComponent(credentials.installation_id)}`
    await callGithub(context, await appToken(credentials.app), { method: 'DELETE', path })
  },
}

export const githubIntegration = defineFeature({
  name: 'github',
  calls: [github],
  routes: [registerGithubRoutes],
  pages: openNewAppPage,
  jobs: [linkIssues],
  consumers: [findIssues],
  signatures: (context) => ({ github: githubSignature(context) }),
  integrations: [integration],
})
