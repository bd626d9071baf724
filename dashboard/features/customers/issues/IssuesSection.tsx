import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Issue } from '#contract/customers/issues.ts'
import { showError } from '../../../platform/http/errors.ts'
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { LazyMount } from '../../../ui/LazyMount.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { ShowMore, usePortion } from '../../../ui/Portion.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import styles from './IssuesSection.module.css'
import { STATE_TONES, stateChangesOf } from './issues.ts'
import { moveIssue, unlinkIssue } from './queries.ts'

const IssueDialog = lazyComponent(async () => (await import('./IssueDialog.tsx')).IssueDialog)

/** Limited, because each issue renders a menu. */
const FIRST = 20

interface SectionProps {
  customer_id: string
  issues: Issue[]
}

/** A customer's issues, with actions on each. */
export function IssuesSection({ customer_id, issues }: SectionProps) {
  const { t } = useTranslation()
  const adding = useDialog()
  const { shown, remaining, showMore } = usePortion(issues, FIRST)
  return (
    <>
      <Button className={styles.link} icon={<Icon name="plus" size={18} />} onClick={() => adding.open()}>
        {t('issues.link')}
      </Button>
      {issues.length === 0 && <p className={styles.none}>{t('issues.none')}</p>}
      <ul className={styles.issues} aria-label={t('issues.label')}>
        <Each name="issue" items={shown} keyOf={(issue) => issue.id}>
          {(issue) => (
            <li>
              <IssueRow customer_id={customer_id} issue={issue} />
            </li>
          )}
        </Each>
      </ul>
      <ShowMore remaining={remaining} label={t('show_more', { count: remaining })} showMore={showMore} />
      <LazyMount when={adding.isOpen}>
        <IssueDialog
          key={adding.turn}
          customer_id={customer_id}
          linked={issues}
          open={adding.isOpen}
          close={adding.close}
        />
      </LazyMount>
    </>
  )
}

function IssueRow({ customer_id, issue }: { customer_id: string; issue: Issue }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const attempt = (work: Promise<void>) => void work.catch((error) => showError('Issue not changed', error))
  const items = [
    ...stateChangesOf(issue.state).map((state) => ({
      key: state,
      label: t(`issues.move.${state}`),
      onClick: () => attempt(moveIssue(client, issue.id, state)),
    })),
    { type: 'divider' as const },
    {
      key: 'unlink',
      label: t('issues.unlink'),
      onClick: () => attempt(unlinkIssue(client, customer_id, issue)),
    },
  ]
  return (
    <div className={styles.issue}>
      <div className={styles.what}>
        <Link to={`/issues/${issue.id}`}>
          <Truncate text={issue.title} lines={3} />
        </Link>
        <Pill tone={STATE_TONES[issue.state]}>{t(`issues.states.${issue.state}`)}</Pill>
      </div>
      <Menu items={items}>
        {(trigger) => (
          <button
            {...trigger}
            type="button"
            className={styles.more}
            aria-label={t('issues.menu', { title: issue.title })}
          >
            <Icon name="more" />
          </button>
        )}
      </Menu>
    </div>
  )
}
