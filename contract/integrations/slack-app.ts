/** The app's permissions in a workspace, if installed through the consent page. */
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

/** Requested because published clients do. The resulting user token is not stored. */
export const SLACK_USER_SCOPES = ['channels:history', 'groups:history', 'chat:write', 'reactions:read'] as const

const EVENTS = [
  'message.channels',
  'message.groups',
  'reaction_added',
  'member_joined_channel',
  'app_uninstalled',
  'tokens_revoked',
]

/**
 * Slack's page for creating an app with everything filled in: permissions, events, and Socket Mode, which needs no
 * public address.
 */
export function slackAppLink(name: string): string {
  const manifest = {
    display_information: { name, description: 'Customer conversations, answered from Slack.' },
    features: { bot_user: { display_name: name, always_online: true } },
    oauth_config: {
      scopes: { bot: [...SLACK_SCOPES.filter((scope) => scope !== 'incoming-webhook'), 'channels:join'] },
    },
    settings: {
      event_subscriptions: { bot_events: EVENTS },
      interactivity: { is_enabled: true },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    },
  }
  return `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(manifest))}`
}
