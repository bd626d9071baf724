/** What the app may do in a workspace where it was installed by consent. */
export const SLACK_SCOPES = [
  'incoming-webhook',
  'chat:write',
  'channels:history',
  'channels:manage',
  'channels:read',
  'chat:write.public',
  'chat:write.customize',
  'users:read',
  'users:read.email',
  'groups:history',
  'groups:read',
  'reactions:read',
  'files:read',
] as const

/** Asked for as published clients do. What it opens is not kept. */
export const SLACK_USER_SCOPES = ['channels:history', 'groups:history', 'chat:write', 'reactions:read'] as const
