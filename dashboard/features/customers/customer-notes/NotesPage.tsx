import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { userName } from '#contract/accounts/users.ts'
import { displayName } from '#contract/customers/customers.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { ListSkeleton } from '../../../ui/Skeleton.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { PlanNotice } from '../../accounts/plan-notices/PlanNotice.tsx'
import { MessageText } from '../../conversations/messages/bubble/MessageText.tsx'
import { groupNotes, noteTime } from './grouping.ts'
import styles from './NotesPage.module.css'
import { notesQuery } from './queries.ts'

/** All notes on customers, by day. */
export function NotesPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('notes.title')} text={t('notes.text')}>
      <PlanNotice feature="private_notes" />
      <Notes />
    </Page>
  )
}

function Notes() {
  const { t } = useTranslation()
  const pages = useInfiniteQuery(notesQuery)
  if (!pages.data)
    return <QueryView query={pages} failed={t('notes.failed')} loading={<ListSkeleton label={t('loading')} />} />
  const days = groupNotes(pages.data.pages.flatMap(({ data }) => data))
  if (days.length === 0) return <EmptyState drawing="rest" title={t('notes.none')} text={t('notes.none_text')} />
  return (
    <>
      <Each name="day" items={days} keyOf={({ title }) => title} fallback={() => <Undrawn />}>
        {({ title, customers }) => (
          <section className={styles.day} aria-label={title}>
            <h2 className={styles.title}>{title}</h2>
            <Each name="customer" items={customers} keyOf={({ customer }) => customer.id} fallback={() => <Undrawn />}>
              {({ customer, notes }) => (
                <article className={styles.customer} aria-label={displayName(customer)}>
                  <h3>
                    <Link to={`/customers/${customer.id}?tab=notes`}>
                      <Truncate text={displayName(customer)} />
                    </Link>
                  </h3>
                  <Each name="note" items={notes} keyOf={(note) => note.id} fallback={() => <Undrawn />}>
                    {(note) => (
                      <div className={styles.note}>
                        <time className={styles.time} dateTime={note.created_at}>
                          {noteTime(note.created_at)} · {userName(note.author)}
                        </time>
                        <MessageText body={note.body} />
                      </div>
                    )}
                  </Each>
                </article>
              )}
            </Each>
          </section>
        )}
      </Each>
      {pages.hasNextPage && (
        <Button block variant="text" loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
          {t('list.load_more')}
        </Button>
      )}
    </>
  )
}
