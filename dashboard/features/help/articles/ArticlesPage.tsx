import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useDebounced } from '../../../platform/forms/useDebounced.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { languageName } from '../languages.ts'
import styles from './Articles.module.css'
import { ArticleTable } from './ArticleTable.tsx'
import { useCollectionOptions } from './collection-options.ts'
import { PublicLine } from './PublicLine.tsx'
import { type ArticleFilters, articleCountsQuery, articlesQuery, helpCenterQuery } from './queries.ts'

const STATES = ['draft', 'published', 'changed', 'archived'] as const

/** All articles of the help center, by collection, state and language. */
export function ArticlesPage() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const q = useDebounced(text)
  const { filters, change } = useFilters()
  return (
    <Page
      title={t('titles.articles')}
      text={t('help.articles_text')}
      actions={
        <ButtonLink variant="primary" icon={<Icon name="plus" size={18} />} to="/help-center/articles/new">
          {t('actions.new_article')}
        </ButtonLink>
      }
    >
      <PublicLine />
      <SearchInput label={t('help.search')} value={text} onChange={setText} />
      <Filters filters={filters} change={change} />
      <States filters={filters} change={change}>
        <Articles filters={{ ...filters, ...(q && { q }) }} />
      </States>
    </Page>
  )
}

/** The states as tabs, each with the number of its articles. */
function States({ filters, change, children }: FiltersProps & { children: ReactNode }) {
  const { t } = useTranslation()
  const { data: counts } = useQuery(articleCountsQuery(filters))
  const tabs = [
    { name: 'all' as const, title: t('help.all') },
    ...STATES.map((name) => ({ name, title: t(`help.states.${name}`) })),
  ]
  return (
    <Tabs
      label={t('help.state')}
      tabs={tabs.map((tab) => ({ ...tab, ...(counts && { count: counts[tab.name] }) }))}
      current={filters.state ?? 'all'}
      choose={(name) => change('state', name === 'all' ? '' : name)}
    >
      {children}
    </Tabs>
  )
}

/** The filters, which the address keeps. */
function useFilters() {
  const [query, setQuery] = useSearchParams()
  const filters: ArticleFilters = {
    state: STATES.find((state) => state === query.get('state')),
    collection_id: query.get('collection') ?? undefined,
    language: query.get('language') ?? undefined,
  }
  const change = (name: 'state' | 'collection' | 'language', value: string) =>
    setQuery(
      (before) => {
        if (value) before.set(name, value)
        else before.delete(name)
        return before
      },
      { replace: true },
    )
  return { filters, change }
}

interface FiltersProps {
  filters: ArticleFilters
  change: (name: 'state' | 'collection' | 'language', value: string) => void
}

function Filters({ filters, change }: FiltersProps) {
  const { t } = useTranslation()
  const { data: center } = useQuery(helpCenterQuery)
  const collections = useCollectionOptions()
  const all = { value: '' as const, label: t('help.all') }
  return (
    <div className={styles.filters}>
      <Select
        label={t('help.collection')}
        options={[all, ...collections, { value: 'none', label: t('help.no_collection') }]}
        value={filters.collection_id ?? ''}
        onChange={(id) => change('collection', id)}
      />
      {center && center.languages.length > 1 && (
        <Select
          label={t('help.language')}
          options={[all, ...center.languages.map((value) => ({ value, label: languageName(value) }))]}
          value={filters.language ?? ''}
          onChange={(language) => change('language', language)}
        />
      )}
    </div>
  )
}

function Articles({ filters }: { filters: ArticleFilters }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(articlesQuery(filters))
  if (!query.data) return <QueryView query={query} failed={t('help.articles_failed')} />
  const items = query.data.pages.flatMap(({ data }) => data)
  if (items.length === 0) return <NoArticles isFiltered={Object.values(filters).some(Boolean)} />
  return (
    <>
      <ArticleTable articles={items} />
      {query.hasNextPage && (
        <Button block variant="text" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          {t('list.load_more')}
        </Button>
      )}
    </>
  )
}

function NoArticles({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation()
  if (isFiltered) return <EmptyState drawing="lost" title={t('help.nothing')} />
  return (
    <EmptyState
      drawing="talk"
      title={t('help.none')}
      text={t('help.none_text')}
      action={
        <ButtonLink variant="primary" to="/help-center/articles/new">
          {t('help.write_first')}
        </ButtonLink>
      }
    />
  )
}
