/** The texts of the inbox and the frame, which the build puts into one file for each language. */
export const INBOX_TEXTS = [
  'actions',
  'assignments',
  'conversations',
  'customer-notes',
  'customers',
  'deadlines',
  'directory-links',
  'issues',
  'merging',
  'messages',
  'notifications',
  'plan-notices',
  'ratings',
  'saved-replies',
  'search',
  'tags',
] as const
