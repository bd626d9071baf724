import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ArticleCollection } from '#contract/help/article-collections.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { RowActions } from '../../../platform/RowActions.tsx'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { OptionalCell, Table } from '../../../ui/Table.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { collectionPath } from '../articles/collection-options.ts'
import { collectionsQuery, helpCenterQuery } from '../articles/queries.ts'
import { CollectionDialog } from './CollectionDialog.tsx'
import { deleteCollection, moveCollection } from './queries.ts'

/** The headings under which readers find articles. */
export function CollectionsPage() {
  const { t } = useTranslation()
  const creating = useDialog()
  const editing = useDialog<ArticleCollection>()
  return (
    <Page
      title={t('titles.collections')}
      text={t('help.collections_text')}
      actions={
        <Button variant="primary" icon={<Icon name="plus" size={18} />} onClick={() => creating.open()}>
          {t('help.new_collection')}
        </Button>
      }
    >
      <Collections create={() => creating.open()} edit={editing.open} />
      <CollectionDialog key={`new ${creating.turn}`} open={creating.isOpen} close={creating.close} />
      {editing.item && (
        <CollectionDialog key={editing.turn} collection={editing.item} open={editing.isOpen} close={editing.close} />
      )}
    </Page>
  )
}

interface CollectionsProps {
  create: () => void
  edit: (collection: ArticleCollection) => void
}

function Collections({ create, edit }: CollectionsProps) {
  const { t } = useTranslation()
  const query = useQuery(collectionsQuery)
  const { data } = query
  if (!data) return <QueryView query={query} failed={t('help.collections_failed')} />
  if (data.length > 0) return <CollectionTable collections={data} edit={edit} />
  return (
    <EmptyState
      drawing="soon"
      title={t('help.no_collections')}
      text={t('help.no_collections_text')}
      action={
        <Button variant="primary" onClick={create}>
          {t('help.new_collection')}
        </Button>
      }
    />
  )
}

function CollectionTable({ collections, edit }: { collections: ArticleCollection[]; edit: CollectionsProps['edit'] }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: center } = useQuery(helpCenterQuery)
  const moving = useMutation({
    mutationFn: (ids: string[]) => moveCollection(client, ids),
    onError: (error) => showError('Collection not moved', error),
  })
  const beside = ({ parent_id }: ArticleCollection) => collections.filter((other) => other.parent_id === parent_id)
  const move = (collection: ArticleCollection, by: -1 | 1) => {
    const siblings = beside(collection)
    const at = siblings.indexOf(collection)
    siblings.splice(at + by, 0, ...siblings.splice(at, 1))
    // What is inside them moves with them.
    const moved = siblings.flatMap((sibling) => [
      sibling,
      ...collections.filter((other) => other.parent_id === sibling.id),
    ])
    const ids = collections.map(({ id }) => id)
    ids.splice(
      collections.findIndex((candidate) => moved.includes(candidate)),
      moved.length,
      ...moved.map(({ id }) => id),
    )
    moving.mutate(ids)
  }
  const columns = [t('help.name'), t('help.description'), t('titles.articles'), t('edit')] as const
  return (
    <Table label={t('titles.collections')} columns={columns}>
      <Each name="collection" items={collections} keyOf={({ id }) => id}>
        {(collection) => {
          const { id, icon, texts, article_count } = collection
          const siblings = beside(collection)
          const name = collectionPath(collection, collections, center?.default_language)
          const description = texts[center?.default_language ?? '']?.description
          return (
            <tr>
              <td>
                <Truncate text={`${icon} ${name}`.trim()} />
              </td>
              <OptionalCell>{description && <Truncate text={description} lines={2} />}</OptionalCell>
              <td>
                <Link to={`/help-center/articles?collection=${id}`}>
                  {t('help.article_count', { count: article_count })}
                </Link>
              </td>
              <td>
                <RowActions
                  name={name}
                  order={{
                    up: t('help.up', { name }),
                    down: t('help.down', { name }),
                    at: siblings.indexOf(collection),
                    count: siblings.length,
                    disabled: moving.isPending,
                    move: (by) => move(collection, by),
                  }}
                  edit={() => edit(collection)}
                  question={t('help.delete_collection', { name })}
                  remove={() =>
                    deleteCollection(client, id).catch((error) => showError('Collection not deleted', error))
                  }
                />
              </td>
            </tr>
          )
        }}
      </Each>
    </Table>
  )
}
