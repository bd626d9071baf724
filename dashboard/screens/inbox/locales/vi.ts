import { vi as actions } from '../../../features/actions/locales/vi.ts'
import { vi as conversations } from '../../../features/conversations/locales/vi.ts'
import { vi as customerNotes } from '../../../features/customer-notes/locales/vi.ts'
import { vi as customers } from '../../../features/customers/locales/vi.ts'
import { vi as directoryLinks } from '../../../features/directory-links/locales/vi.ts'
import { vi as issues } from '../../../features/issues/locales/vi.ts'
import { vi as messages } from '../../../features/messages/locales/vi.ts'
import { vi as notifications } from '../../../features/notifications/locales/vi.ts'
import { vi as planNotices } from '../../../features/plan-notices/locales/vi.ts'
import { vi as ratings } from '../../../features/ratings/locales/vi.ts'
import { vi as savedReplies } from '../../../features/saved-replies/locales/vi.ts'
import { vi as search } from '../../../features/search/locales/vi.ts'
import { vi as tags } from '../../../features/tags/locales/vi.ts'

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
