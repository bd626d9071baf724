import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { supportChat } from '../../../platform/environment.ts'
import { readTokens } from '../../../platform/session/session.ts'
import { useTeam } from '../../accounts/accounts/account.ts'
import { describeUser, isSettingUpChat, parley, startSupportChat } from './parley.ts'

/** Opens and closes the support chat; undefined where it is disabled or would be in the way. */
export function useSupportChat(): (() => void) | undefined {
  const { pathname } = useLocation()
  return supportChat() && !isSettingUpChat(pathname) ? () => parley('toggle') : undefined
}

/** Keeps the support chat on the page while the user is signed in. */
export function useSupportChatOnPage() {
  const { me, account } = useTeam()
  const { pathname } = useLocation()
  const chat = supportChat()
  const isHidden = isSettingUpChat(pathname)
  // As text, so that the effect only runs when the data changes.
  const customer = JSON.stringify(describeUser(me, account))
  useEffect(() => {
    if (chat) startSupportChat(chat, JSON.parse(customer))
  }, [chat, customer])
  useEffect(() => {
    if (chat) parley(isHidden ? 'hide' : 'show')
  }, [chat, isHidden])
  useEffect(
    () => () => {
      // After signing out, the next user must not see the previous user's chat.
      if (chat) parley(readTokens() ? 'hide' : 'shutdown')
    },
    [chat],
  )
}
