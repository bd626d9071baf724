import { vi as planNotices } from '../../../features/accounts/plan-notices/locales/vi.ts'
import { vi as directoryLinks } from '../../../features/connections/directory-links/locales/vi.ts'
import { vi as actions } from '../../../features/conversations/actions/locales/vi.ts'
import { vi as conversations } from '../../../features/conversations/conversations/locales/vi.ts'
import { vi as messages } from '../../../features/conversations/messages/locales/vi.ts'
import { vi as notifications } from '../../../features/conversations/notifications/locales/vi.ts'
import { vi as ratings } from '../../../features/conversations/ratings/locales/vi.ts'
import { vi as savedReplies } from '../../../features/conversations/saved-replies/locales/vi.ts'
import { vi as search } from '../../../features/conversations/search/locales/vi.ts'
import { vi as customerNotes } from '../../../features/customers/customer-notes/locales/vi.ts'
import { vi as customers } from '../../../features/customers/customers/locales/vi.ts'
import { vi as issues } from '../../../features/customers/issues/locales/vi.ts'
import { vi as tags } from '../../../features/customers/tags/locales/vi.ts'

export const vi = {
  ...actions,
  ...conversations,
  ...customerNotes,
  ...customers,
  ...directoryLinks,
  ...issues,
  ...messages,
  ...notifications,
  ...planNotices,
  ...ratings,
  ...savedReplies,
  ...search,
  ...tags,
}
