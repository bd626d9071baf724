import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { NavLink, useNavigate } from 'react-router'
import { VIEW_COUNT_LIMIT } from '#contract/conversations/views.ts'
import { viewCountsQuery, viewsQuery } from '../../../features/conversations/views/queries.ts'
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx'
import { withTexts } from '../../../platform/texts.ts'
import { useDialog } from '../../../platform/useDialog.ts'
import { Each } from '../../../ui/Each.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { LazyMount } from '../../../ui/LazyMount.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import styles from './ViewsBar.module.css'

const loadViewDialog = async () => (await import('../../../features/conversations/views/ViewDialog.tsx')).ViewDialog
const ViewDialog = lazyComponent(withTexts(['saved-views'], loadViewDialog))

/** The saved views with the number of their conversations, and a button for a new one. */
export function SavedViews({ onChoose }: { onChoose: (() => void) | undefined }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const creating = useDialog()
  const { data: views = [], isPending } = useQuery(viewsQuery)
  const { data: counts = {} } = useQuery({ ...viewCountsQuery, enabled: views.length > 0 })
  const open = (id: string) => {
    void navigate(`/conversations/views/${id}`)
    onChoose?.()
  }
  return (
    <>
      <h2 className={styles.heading}>{t('views.saved')}</h2>
      <Each name="view" items={views} keyOf={(view) => view.id} fallback={() => <Undrawn />}>
        {({ id, name }) => (
          <NavLink to={`/conversations/views/${id}`} className={styles.view} title={name} onClick={onChoose}>
            <Icon name="eye" size={18} />
            <span className={styles.name} dir="auto">
              {name}
            </span>
            <ViewCount count={counts[id] ?? 0} />
          </NavLink>
        )}
      </Each>
      {/* Rendered after the views, which would otherwise move it away from the pointer. */}
      {!isPending && (
        <button type="button" className={styles.view} data-quiet onClick={() => creating.open()}>
          <Icon name="plus" size={18} />
          <span className={styles.name}>{t('views.new')}</span>
        </button>
      )}
      <LazyMount when={creating.isOpen}>
        <ViewDialog key={creating.turn} open={creating.isOpen} close={creating.close} onSaved={open} />
      </LazyMount>
    </>
  )
}

function ViewCount({ count }: { count: number }) {
  const { t } = useTranslation()
  if (count === 0) return null
  const isMore = count >= VIEW_COUNT_LIMIT
  return (
    <span className={styles.total}>
      <span aria-hidden="true">{isMore ? `${VIEW_COUNT_LIMIT - 1}+` : count}</span>
      <span className="unseen">{isMore ? t('views.more') : t('views.total', { count })}</span>
    </span>
  )
}
