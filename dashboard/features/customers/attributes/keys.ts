export const ATTRIBUTES_KEY = ['attribute-definitions'] as const
