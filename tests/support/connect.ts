import { connectAuthorization, type NewAuthorization } from '#server/features/connections/authorizations/connect.ts'
import type { TestServer } from './server.ts'
import type { World } from './world.ts'

/** Connects the website's inbox of Acme with a system, as Ada. */
export function connectWebsite({ context }: TestServer, world: World, more: Partial<NewAuthorization> = {}) {
  const ada = { kind: 'user' as const, account_id: world.acme.id, user_id: world.ada.id, role: 'admin' as const }
  return context.change((tx) =>
    connectAuthorization(context, tx, { ...ada, session_id: crypto.randomUUID(), address: '127.0.0.1' } as never, {
      integration: 'mattermost',
      inbox_id: world.website.id,
      label: '#support',
      credentials: { token: 'a token of theirs' },
      ...more,
    }),
  )
}
