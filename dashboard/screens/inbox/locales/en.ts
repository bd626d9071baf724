import { en as planNotices } from '../../../features/accounts/plan-notices/locales/en.ts'
import { en as directoryLinks } from '../../../features/connections/directory-links/locales/en.ts'
import { en as actions } from '../../../features/conversations/actions/locales/en.ts'
import { en as conversations } from '../../../features/conversations/conversations/locales/en.ts'
import { en as messages } from '../../../features/conversations/messages/locales/en.ts'
import { en as notifications } from '../../../features/conversations/notifications/locales/en.ts'
import { en as ratings } from '../../../features/conversations/ratings/locales/en.ts'
import { en as savedReplies } from '../../../features/conversations/saved-replies/locales/en.ts'
import { en as search } from '../../../features/conversations/search/locales/en.ts'
import { en as customerNotes } from '../../../features/customers/customer-notes/locales/en.ts'
import { en as customers } from '../../../features/customers/customers/locales/en.ts'
import { en as issues } from '../../../features/customers/issues/locales/en.ts'
import { en as tags } from '../../../features/customers/tags/locales/en.ts'

export const en = {
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
