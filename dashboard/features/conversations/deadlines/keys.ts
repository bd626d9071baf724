/** The key of the policies. Apart from their query, which the first screen does not need. */
export const POLICIES_KEY = ['deadline-policies'] as const
