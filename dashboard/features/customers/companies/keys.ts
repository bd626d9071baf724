export const companyKeys = {
  all: ['companies'],
  lists: ['companies', 'found'],
  list: (q: string, limit: number) => [...companyKeys.lists, q, limit],
  detail: (id: string) => [...companyKeys.all, 'one', id],
} as const
