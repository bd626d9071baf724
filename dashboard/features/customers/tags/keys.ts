export const tagKeys = {
  all: ['tags'],
  counted: ['tags', 'counted'],
  details: ['tags', 'one'],
  detail: (id: string) => [...tagKeys.details, id],
} as const
