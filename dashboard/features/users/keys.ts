export const userKeys = { profile: ['profile'] } as const
