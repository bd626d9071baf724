/** Names of other systems as their vendors spell them, the same in every language. */
export const VENDOR_NAMES = {
  gmail: 'Gmail',
  google: 'Google',
  google_sheets: 'Google Sheets',
  github: 'GitHub',
  hubspot: 'HubSpot',
  intercom: 'Intercom',
  mattermost: 'Mattermost',
  slack: 'Slack',
  'slack:sync': 'Slack',
  stripe: 'Stripe',
  twilio: 'Twilio',
} as const

/** The vendor's name of an integration. Mail has none. */
export function vendorName(integration: string): string | undefined {
  return Object.hasOwn(VENDOR_NAMES, integration) ? VENDOR_NAMES[integration as keyof typeof VENDOR_NAMES] : undefined
}
