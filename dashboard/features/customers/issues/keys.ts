export const issueKeys = {
  all: ['issues'],
  lists: ['issues', 'found'],
  list: (q: string, limit: number | undefined) => [...issueKeys.lists, q, limit],
  detail: (id: string) => [...issueKeys.all, 'one', id],
} as const
