import type { Account } from '#contract/accounts.ts'
import type { Me } from '#contract/auth-sessions.ts'
import { userName } from '#contract/users.ts'
import { isEuEdition, type SupportChat } from '../../platform/environment.ts'

type Parley = ((...command: unknown[]) => void) & { q?: unknown[][] }

/** Tells our own widget to do something; what is said before its script is there is done once it is. */
export function parley(...command: unknown[]) {
  const page = window as { Parley?: Parley }
  page.Parley ??= Object.assign((...given: unknown[]) => void page.Parley?.q?.push(given), { q: [] })
  page.Parley(...command)
}

/** Brings our own widget, the same as any website's, without its button: the navigation has one. */
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
  // Naming whose chat it is, it brings along how that looks, when they are helped by this installation.
  script.src = `/widget.js?token=${chat.token}${chat.inbox ? `&inbox=${chat.inbox}` : ''}`
  script.dataset.supportChat = ''
  document.head.append(script)
}

/** Who asks for help, as the support team identifies them. */
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

/** Whether a path is one on which a chat window is being set up: two of them would confuse. */
export function isSettingUpChat(pathname: string): boolean {
  return /^\/(inboxes\/[^/]+\/chat-widget|settings\/chat-widget|widget\/[^/]+)\/?$/.test(pathname)
}
