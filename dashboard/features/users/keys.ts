export const userKeys = { profile: ['profile'], gmail: ['own-gmail'] } as const
