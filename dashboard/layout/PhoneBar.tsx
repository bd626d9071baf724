import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useTeam } from '../features/accounts/accounts/account.ts'
import { enabledParts } from '../platform/environment.ts'
import { lazyComponent } from '../platform/lazy/lazy-component.tsx'
import { useTitles } from '../platform/pages.ts'
import { useConnection } from '../platform/realtime/connection.ts'
import { ConnectionStatus } from '../ui/ConnectionStatus.tsx'
import { DelayedFallback } from '../ui/DelayedFallback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { LazyMount } from '../ui/LazyMount.tsx'
import { OpenCount } from './IconBar.tsx'
import { isAt, isInbox, isInInbox, isReading, navigationFor } from './navigation.ts'
import styles from './PhoneBar.module.css'

const MoreDrawer = lazyComponent(async () => (await import('./MoreDrawer.tsx')).MoreDrawer)

/** The entries of the bar besides the inbox. */
const AT_HAND = ['/customers', '/reporting']

/** The main navigation on phones: three entries, the rest in a drawer. */
export function PhoneBar() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const [open, setOpen] = useState(false)
  const { me, account } = useTeam()
  const titleOf = useTitles()
  const items = navigationFor(me.role, enabledParts(), account.settings)
  const inbox = items.find(isInbox)
  const atHand = items.filter(({ path }) => AT_HAND.includes(path))
  const isElsewhere = !isInInbox(pathname) && !atHand.some((item) => isAt(item, pathname))
  return (
    <>
      <ConnectionIndicator />
      <nav className={styles.bar} hidden={isReading(pathname)} aria-label={t('nav.main')}>
        <Link to="/conversations/all" className={styles.item} aria-current={isInInbox(pathname) ? 'page' : undefined}>
          <span className={styles.icon}>
            <Icon name="inbox" size={22} />
            <OpenCount />
          </span>
          {inbox && titleOf(inbox.title)}
        </Link>
        {atHand.map((item) => (
          <Link
            key={item.path}
            to={item.path}
            className={styles.item}
            aria-current={isAt(item, pathname) ? 'page' : undefined}
          >
            <Icon name={item.icon} size={22} />
            {titleOf(item.title)}
          </Link>
        ))}
        <button
          type="button"
          className={styles.item}
          data-here={isElsewhere || undefined}
          onClick={() => setOpen(true)}
          aria-haspopup="dialog"
        >
          <Icon name="menu" size={22} />
          {t('nav.more')}
        </button>
      </nav>
      <LazyMount when={open}>
        <MoreDrawer open={open} close={() => setOpen(false)} />
      </LazyMount>
    </>
  )
}

/** Shown only while there is a problem, because there is no room for more. */
function ConnectionIndicator() {
  const { t } = useTranslation()
  const connection = useConnection()
  // A bar says that it is offline.
  if (connection === 'live' || connection === 'offline') return null
  return (
    <div className={styles.symbol}>
      <DelayedFallback ms={1000}>
        <ConnectionStatus state={connection} label={t(`connection.${connection}`)} />
      </DelayedFallback>
    </div>
  )
}
