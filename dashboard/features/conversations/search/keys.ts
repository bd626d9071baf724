export const searchKeys = { all: ['search'], results: (q: string) => [...searchKeys.all, q] } as const
