import type { Account } from '#contract/accounts/accounts.ts'
import type { Me } from '#contract/accounts/auth-sessions.ts'
import { userName } from '#contract/accounts/users.ts'
import { isEuEdition, type SupportChat } from '../../../platform/environment.ts'

type Parley = ((...command: unknown[]) => void) & { q?: unknown[][] }

/** Sends a command to our own widget. Until its script has loaded, commands are queued. */
export function parley(...command: unknown[]) {
  const page = window as { Parley?: Parley }
  page.Parley ??= Object.assign((...args: unknown[]) => void page.Parley?.q?.push(args), { q: [] })
  page.Parley(...command)
}

/** Loads our own widget without its button: the navigation has one. */
export function startSupportChat(chat: SupportChat, customer: object) {
  parley('boot', {
    token: chat.token,
    ...(chat.inbox && { inbox: chat.inbox }),
    baseUrl: chat.base ?? location.origin,
    hideToggleButton: true,
    position: { side: 'left', offset: 96 },
    customer,
  })
  if (document.querySelector('script[data-support-chat]')) return
  const script = document.createElement('script')
  // With account and inbox in the address, the script contains the widget settings if it comes from this installation.
  script.src = `/widget.js?token=${chat.token}${chat.inbox ? `&inbox=${chat.inbox}` : ''}`
  script.dataset.supportChat = ''
  document.head.append(script)
}

/** The user's data for the support team. */
export function describeUser(me: Me, account: Account) {
  const user = account.users.find(({ id }) => id === me.id)
  return {
    external_id: `${account.id}:${me.id}`,
    email: me.email,
    ...(user && { name: userName(user) }),
    metadata: {
      company_name: account.company_name,
      subscription_plan: account.subscription_plan,
      edition: isEuEdition() ? 'EU' : 'US',
    },
  }
}

/** Whether a chat window is set up on this page, where a second one would be confusing. */
export function isSettingUpChat(pathname: string): boolean {
  return /^\/(inboxes\/[^/]+\/chat-widget|settings\/chat-widget|widget\/[^/]+)\/?$/.test(pathname)
}
