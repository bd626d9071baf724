import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ArticleSummary } from '#contract/help/articles.ts'
import { messageTime } from '../../../platform/times.ts'
import { Each } from '../../../ui/Each.tsx'
import { OptionalCell, Table } from '../../../ui/Table.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import styles from './Articles.module.css'
import { collectionPath } from './collection-options.ts'
import { collectionsQuery, helpCenterQuery } from './queries.ts'
import { StatePill } from './StatePill.tsx'

export function ArticleTable({ articles }: { articles: ArticleSummary[] }) {
  const { t } = useTranslation()
  const columns = [
    t('help.title'),
    t('help.collection'),
    t('help.state'),
    t('help.helpful'),
    t('help.changed_at'),
    t('edit'),
  ] as const
  return (
    <Table label={t('titles.articles')} columns={columns}>
      <Each name="article" items={articles} keyOf={({ id }) => id}>
        {(article) => <Row article={article} />}
      </Each>
    </Table>
  )
}

function Row({ article }: { article: ArticleSummary }) {
  const { t } = useTranslation()
  const { data: center } = useQuery(helpCenterQuery)
  const { data: collections = [] } = useQuery(collectionsQuery)
  const collection = collections.find(({ id }) => id === article.collection_id)
  const { translations, helpful_count, unhelpful_count } = article
  const title = translations[0]?.title || t('help.untitled')
  const path = `/help-center/articles/${article.id}`
  return (
    <tr>
      <td>
        <Link to={path} dir="auto">
          <Truncate text={title} lines={2} />
        </Link>
      </td>
      <OptionalCell>
        {collection && <Truncate text={collectionPath(collection, collections, center?.default_language)} />}
      </OptionalCell>
      <td>
        <span className={styles.states}>
          {article.archived_at ? (
            <StatePill state="archived" />
          ) : (
            <Each name="translation" items={translations} keyOf={({ language }) => language} fallback={() => null}>
              {({ language, state }) => (
                <StatePill state={state} language={translations.length > 1 ? language : undefined} />
              )}
            </Each>
          )}
        </span>
      </td>
      <OptionalCell label={t('help.helpful')}>
        {helpful_count + unhelpful_count > 0 &&
          t('help.helpful_of', { count: helpful_count, all: helpful_count + unhelpful_count })}
      </OptionalCell>
      <td>{messageTime(article.updated_at)}</td>
      <td>
        <Link to={path}>
          {t('edit')}
          <span className="unseen"> {title}</span>
        </Link>
      </td>
    </tr>
  )
}
