/**
 * Where the vendors are. These are no settings of operators: tests and demonstrations set the variables of these names to
 * the URLs of emulators. A server at another URL, such as GitHub Enterprise, is a setting (`GITHUB_URL`).
 */
export const vendorUrls = {
  SLACK_API_URL: 'https://slack.com',
  GOOGLE_CONSENT_URL: 'https://accounts.google.com/o/oauth2/v2/auth',
  GOOGLE_OAUTH_URL: 'https://oauth2.googleapis.com',
  GMAIL_API_URL: 'https://gmail.googleapis.com',
  SHEETS_API_URL: 'https://sheets.googleapis.com',
  HUBSPOT_URL: 'https://app.hubspot.com',
  HUBSPOT_API_URL: 'https://api.hubapi.com',
  INTERCOM_URL: 'https://app.intercom.com',
  INTERCOM_API_URL: 'https://api.intercom.io',
  TWILIO_API_URL: 'https://api.twilio.com',
  TWILIO_MESSAGING_URL: 'https://messaging.twilio.com',
  TELEGRAM_API_URL: 'https://api.telegram.org',
  WHATSAPP_API_URL: 'https://graph.facebook.com',
  STRIPE_API_URL: 'https://api.stripe.com',
  STRIPE_JS_URL: 'https://js.stripe.com/endive/stripe.js',
  /** Amazon has one for each region, named by each notification. An emulator is the only one that is accepted. */
  SNS_URL: '',
  /** Browsers name their push services. An emulator receives what is for any of them. */
  PUSH_SERVICE_URL: '',
}
