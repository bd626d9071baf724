export const viewKeys = {
  all: ['views'],
  counts: ['view-counts'],
  /** The number of conversations that an unsaved view would show. */
  matching: ['view-matching'],
} as const
