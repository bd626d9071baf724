export const userKeys = {
  profile: ['profile'],
  gmail: ['own-gmail'],
  sessions: ['auth-sessions'],
  twoFactor: ['two-factor'],
} as const
