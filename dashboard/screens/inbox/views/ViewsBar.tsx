import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, NavLink } from 'react-router'
import type { Team } from '#contract/accounts/teams.ts'
import type { Bucket } from '#contract/conversations/buckets.ts'
import type { UnreadCounts } from '#contract/conversations/conversations.ts'
import { useTeam } from '../../../features/accounts/accounts/account.ts'
import { teamsQuery } from '../../../features/accounts/teams/queries.ts'
import { useCounts } from '../../../features/conversations/conversations/counts.ts'
import { inboxesQuery } from '../../../features/widget/inboxes/queries.ts'
import { formatNumber } from '../../../platform/formats.ts'
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx'
import { useDialog } from '../../../platform/useDialog.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import type { IconName } from '../../../ui/icon-paths.ts'
import { LazyMount } from '../../../ui/LazyMount.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { SavedViews } from './SavedViews.tsx'
import styles from './ViewsBar.module.css'

const AddInboxDialog = lazyComponent(
  async () => (await import('../../../features/widget/inboxes/AddInboxDialog.tsx')).AddInboxDialog,
)

type Counter = keyof UnreadCounts['conversations']
type TotalCounter = keyof UnreadCounts['totals']['conversations']

/** The buckets in order, with their counters: unread conversations, and the total. */
const BUCKETS: [Bucket, IconName, Counter | undefined, TotalCounter | undefined][] = [
  ['all', 'stack', 'open', 'open'],
  ['me', 'person', 'assigned', 'assigned'],
  ['mentions', 'at', 'mentioned', undefined],
  ['unread', 'unread', 'unread', undefined],
  ['unassigned', 'unassigned', 'unassigned', 'unassigned'],
  ['priority', 'star', 'priority', 'priority'],
  ['due', 'flag', undefined, undefined],
  ['snoozed', 'clock', undefined, 'snoozed'],
  ['closed', 'tick', undefined, 'closed'],
]

/** The second sidebar: buckets and inboxes with their counts. */
export function ViewsBar({ onChoose }: { onChoose?: () => void }) {
  const { t } = useTranslation()
  const counts = useCounts()
  const { me } = useTeam()
  const { data: inboxes = [], isPending } = useQuery(inboxesQuery)
  return (
    <nav className={styles.bar} aria-label={t('views.label')}>
      <h2 className={styles.heading}>{t('views.conversations')}</h2>
      {BUCKETS.map(([bucket, icon, counter, total]) => (
        <NavLink
          key={bucket}
          to={`/conversations/${bucket}`}
          className={styles.view}
          title={total && t('views.total', { count: counts.totals.conversations[total] })}
          onClick={onChoose}
        >
          <Icon name={icon} size={18} />
          <span className={styles.name}>{t(`views.${bucket}`)}</span>
          {total && <Total count={counts.totals.conversations[total]} isShown={!counter} />}
          {counter && <Count count={counts.conversations[counter]} />}
        </NavLink>
      ))}
      <NavLink to="/conversations/scheduled" className={styles.view} onClick={onChoose}>
        <Icon name="send" size={18} />
        <span className={styles.name}>{t('views.scheduled')}</span>
      </NavLink>
      {me.role === 'admin' && (
        <NavLink to="/conversations/deleted" className={styles.view} onClick={onChoose}>
          <Icon name="trash" size={18} />
          <span className={styles.name}>{t('views.deleted')}</span>
        </NavLink>
      )}
      <SavedViews onChoose={onChoose} />
      <h2 className={styles.heading}>{t('views.inboxes')}</h2>
      <Each name="inbox" items={inboxes} keyOf={(inbox) => inbox.id} fallback={() => <Undrawn />}>
        {(inbox) => (
          <NavLink
            to={`/inboxes/${inbox.id}/conversations`}
            className={styles.view}
            title={inbox.name}
            onClick={onChoose}
          >
            <Icon name="inbox" size={18} />
            <span className={styles.name}>{inbox.name}</span>
            <Total count={counts.totals.inboxes[inbox.id] ?? 0} isShown={false} />
            <Count count={counts.inboxes[inbox.id] ?? 0} />
          </NavLink>
        )}
      </Each>
      {/* Rendered after the inboxes, which would otherwise move it away from the pointer. */}
      {me.role === 'admin' && !isPending && <InboxTools onChoose={onChoose} />}
      <Teams onChoose={onChoose} />
    </nav>
  )
}

/** The teams that the user is in; for admins, all. Nothing if there are none. */
function Teams({ onChoose }: { onChoose: (() => void) | undefined }) {
  const { t } = useTranslation()
  const { me } = useTeam()
  const { data: teams = [] } = useQuery(teamsQuery)
  const isMember = (team: Team) => team.has_everybody || team.members.some(({ user_id }) => user_id === me.id)
  const own = me.role === 'admin' ? teams : teams.filter(isMember)
  if (own.length === 0) return null
  return (
    <>
      <h2 className={styles.heading}>{t('views.teams')}</h2>
      <Each name="team" items={own} keyOf={(team) => team.id} fallback={() => <Undrawn />}>
        {(team) => (
          <NavLink to={`/teams/${team.id}/conversations`} className={styles.view} title={team.name} onClick={onChoose}>
            <Icon name="people" size={18} />
            <span className={styles.name}>{team.name}</span>
          </NavLink>
        )}
      </Each>
    </>
  )
}

function InboxTools({ onChoose }: { onChoose: (() => void) | undefined }) {
  const { t } = useTranslation()
  const adding = useDialog()
  return (
    <>
      <button type="button" className={styles.view} data-quiet onClick={() => adding.open()}>
        <Icon name="plus" size={18} />
        <span className={styles.name}>{t('views.add_inbox')}</span>
      </button>
      <Link to="/inboxes" className={styles.view} data-quiet onClick={onChoose}>
        <Icon name="settings" size={18} />
        <span className={styles.name}>{t('views.inbox_settings')}</span>
      </Link>
      <LazyMount when={adding.isOpen}>
        <AddInboxDialog key={adding.turn} open={adding.isOpen} close={adding.close} />
      </LazyMount>
    </>
  )
}

/** The total number of conversations. Where there is a count of unread ones, only screen readers and hovering tell it. */
function Total({ count, isShown }: { count: number; isShown: boolean }) {
  const { t } = useTranslation()
  if (count === 0) return null
  return (
    <span className={styles.total}>
      {isShown && <span aria-hidden="true">{formatNumber(count, { notation: 'compact' })}</span>}
      <span className="unseen">{t('views.total', { count })}</span>
    </span>
  )
}

function Count({ count }: { count: number }) {
  const { t } = useTranslation()
  return <Badge count={count} label={t('views.count', { count })} />
}
