import { page } from './page.tsx'

// Where the code of each page lies. Every entry is loaded by itself.

export const Frame = page(async () => (await import('./Frame.tsx')).Frame)
export const NotThereYet = page(async () => (await import('./NotThereYet.tsx')).NotThereYet)
export const Sandbox = page(async () => (await import('../ui/sandbox/Sandbox.tsx')).Sandbox)
export const SignInPage = page(async () => (await import('../features/auth-sessions/SignInPage.tsx')).SignInPage)
export const RegistrationPage = page(
  async () => (await import('../features/auth-sessions/RegistrationPage.tsx')).RegistrationPage,
)
export const ConversationsPage = page(
  async () => (await import('../features/conversations/ConversationsPage.tsx')).ConversationsPage,
)
export const InboxesPage = page(async () => (await import('../features/inboxes/InboxesPage.tsx')).InboxesPage)
export const InboxPage = page(async () => (await import('../features/inboxes/InboxPage.tsx')).InboxPage)
export const SavedRepliesPage = page(
  async () => (await import('../features/saved-replies/SavedRepliesPage.tsx')).SavedRepliesPage,
)
export const SharedConversationPage = page(
  async () => (await import('../features/sharing/SharedConversationPage.tsx')).SharedConversationPage,
)

/** Fetches the code of the page that is about to be shown. Whoever is signed in sees the inbox most of the time. */
export async function fetchAhead(pathname: string, isSignedIn: boolean): Promise<void> {
  const isInbox = /^\/(conversations\b.*|inboxes\/.*)?$/.test(pathname)
  const wanted = isSignedIn ? [Frame, ...(isInbox ? [ConversationsPage] : [])] : [SignInPage]
  // What cannot be fetched is tried again, and reported, when it is shown.
  await Promise.allSettled(wanted.map((each) => each.fetch()))
}
