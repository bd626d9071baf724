import { definePage } from '../../../platform/pages.ts'

export const ratingRequestPages = [
  definePage({
    path: '/rate',
    alone: true,
    texts: ['rating-requests'],
    load: async () => (await import('./RatePage.tsx')).RatePage,
  }),
]
