import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, NavLink, useLocation } from 'react-router'
import { part } from '../platform/lazy/lazy-component.tsx'
import { useConnection } from '../platform/realtime/connection.ts'
import { ConnectionSign } from '../ui/ConnectionSign.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Later } from '../ui/Later.tsx'
import { Once } from '../ui/Once.tsx'
import { OpenCount } from './IconBar.tsx'
import { isInInbox } from './navigation.ts'
import styles from './PhoneBar.module.css'

const MoreDrawer = part(async () => (await import('./MoreDrawer.tsx')).MoreDrawer)

/** The main navigation on phones: three places at hand, the rest in a drawer. */
export function PhoneBar() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const [open, setOpen] = useState(false)
  // A conversation needs the room, and has a way back of its own.
  const isReading = /^\/(conversations\/[^/]+|inboxes\/[^/]+\/conversations)\/[^/]/.test(pathname)
  return (
    <>
      <Sign />
      <nav className={styles.bar} hidden={isReading} aria-label={t('nav.main')}>
        <Link to="/conversations/all" className={styles.item} aria-current={isInInbox(pathname) ? 'page' : undefined}>
          <span className={styles.icon}>
            <Icon name="inbox" size={22} />
            <OpenCount />
          </span>
          {t('nav.inbox')}
        </Link>
        <NavLink to="/customers" className={styles.item}>
          <Icon name="people" size={22} />
          {t('nav.customers')}
        </NavLink>
        <NavLink to="/reporting" className={styles.item}>
          <Icon name="chart" size={22} />
          {t('nav.reporting')}
        </NavLink>
        <button type="button" className={styles.item} onClick={() => setOpen(true)} aria-haspopup="dialog">
          <Icon name="menu" size={22} />
          {t('nav.more')}
        </button>
      </nav>
      <Once wanted={open}>
        <MoreDrawer open={open} close={() => setOpen(false)} />
      </Once>
    </>
  )
}

/** Shown only while something is wrong: there is no room for more. */
function Sign() {
  const { t } = useTranslation()
  const connection = useConnection()
  if (connection === 'live') return null
  return (
    <div className={styles.sign}>
      <Later ms={1000}>
        <ConnectionSign state={connection} label={t(`connection.${connection}`)} />
      </Later>
    </div>
  )
}
