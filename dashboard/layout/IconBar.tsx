import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { useTeam } from '../features/accounts/accounts/account.ts'
import { useCounts } from '../features/conversations/conversations/counts.ts'
import { useSupportChat } from '../features/widget/support-chat/useSupportChat.ts'
import { enabledParts } from '../platform/environment.ts'
import { useTitles } from '../platform/pages.ts'
import { useConnection } from '../platform/realtime/connection.ts'
import { Badge } from '../ui/Badge.tsx'
import { ConnectionStatus } from '../ui/ConnectionStatus.tsx'
import { Icon } from '../ui/Icon.tsx'
import type { IconName } from '../ui/icon-paths.ts'
import { Menu } from '../ui/Menu.tsx'
import { ProductLogo } from '../ui/ProductLogo.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import styles from './IconBar.module.css'
import { type Item, isAt, isInbox, isInInbox, navigationFor } from './navigation.ts'
import { useLogOut } from './useLogOut.ts'

/** The main navigation on wide screens. */
export function IconBar() {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const logOut = useLogOut()
  const chat = useSupportChat()
  const connection = useConnection()
  return (
    <nav className={styles.bar} aria-label={t('nav.main')}>
      <Link to="/conversations/all" className={styles.mark} aria-label={t('product')}>
        <ProductLogo />
      </Link>
      <div className={styles.items}>
        {navigationFor(me.role, enabledParts(), account.settings).map((item) => (
          <BarItem key={item.path} item={item} />
        ))}
      </div>
      <ConnectionStatus state={connection} label={t(`connection.${connection}`)} stacked />
      <div className={styles.foot}>
        <AccountMenu />
        {chat && <BarButton icon="chat" name={t('nav.support')} onClick={chat} />}
        <BarButton icon="power-off" name={t('nav.log_out')} onClick={logOut} />
      </div>
    </nav>
  )
}

function BarItem({ item }: { item: Item }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const titleOf = useTitles()
  const name = titleOf(item.title)
  const isCurrent = isAt(item, pathname)
  if (item.children) {
    return (
      <Menu
        placement="right top"
        chosen={pathname}
        items={item.children.map(({ path, title }) => ({
          key: path,
          label: titleOf(title),
          onClick: () => navigate(path),
        }))}
      >
        {(trigger) => <BarButton {...trigger} icon={item.icon} name={name} data-here={isCurrent || undefined} />}
      </Menu>
    )
  }
  return (
    <Tooltip text={name} placement="right">
      <Link className={styles.item} to={item.path} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name={item.icon} size={22} />
        <span className="unseen">{name}</span>
        {isInbox(item) && <OpenCount />}
      </Link>
    </Tooltip>
  )
}

/** A button of the bar. Props that a menu passes to its trigger go to the button element. */
function BarButton({ icon, name, ...rest }: { icon: IconName; name: string } & ComponentProps<'button'>) {
  return (
    <Tooltip text={name} placement="right" silent={rest['aria-expanded'] === true}>
      <button type="button" className={styles.item} aria-label={name} {...rest}>
        <Icon name={icon} size={22} />
      </button>
    </Tooltip>
  )
}

/** The number of open conversations, in red unless the inbox is on screen. */
export function OpenCount() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const { open } = useCounts().conversations
  return (
    <span className={styles.count}>
      <Badge
        count={open}
        tone={isInInbox(pathname) ? 'quiet' : 'danger'}
        label={t('nav.open_count', { count: open })}
      />
    </span>
  )
}
