import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { useTeam } from '../features/accounts/accounts/account.ts'
import { useSupportChat } from '../features/widget/support-chat/useSupportChat.ts'
import { enabledParts } from '../platform/environment.ts'
import { useTitles } from '../platform/pages.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { AccountPanel } from './AccountPanel.tsx'
import styles from './MoreDrawer.module.css'
import { isInbox, navigationFor } from './navigation.ts'
import { useLogOut } from './useLogOut.ts'

/** On phones: everything that does not fit into the bar. */
export function MoreDrawer({ open, close }: { open: boolean; close: () => void }) {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const logOut = useLogOut()
  const chat = useSupportChat()
  const titleOf = useTitles()
  const items = navigationFor(me.role, enabledParts(), account.settings).filter((item) => !isInbox(item))
  return (
    <Dialog open={open} close={close} title={t('nav.more')} side="right" size={320}>
      <div className={styles.more}>
        <AccountPanel />
        {items.map((item) => (
          <div key={item.path} className={styles.group}>
            {item.children && <div className={styles.heading}>{titleOf(item.title)}</div>}
            {(item.children ?? [item]).map((destination) => (
              <NavLink key={destination.path} to={destination.path} end className={styles.destination} onClick={close}>
                {titleOf(destination.title)}
              </NavLink>
            ))}
          </div>
        ))}
        {chat && (
          <button
            type="button"
            className={styles.destination}
            onClick={() => {
              close()
              chat()
            }}
          >
            {t('nav.support')}
          </button>
        )}
        <button type="button" className={styles.destination} onClick={logOut}>
          {t('nav.log_out')}
        </button>
      </div>
    </Dialog>
  )
}
