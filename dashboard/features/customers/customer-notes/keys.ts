export const noteKeys = { all: ['notes'] } as const
