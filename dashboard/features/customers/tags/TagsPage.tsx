import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { CountedTag } from '#contract/customers/tags.ts'
import { searchFields } from '../../../platform/forms/text-search.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { ShowMore, usePortion } from '../../../ui/Portion.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { OptionalCell, Table } from '../../../ui/Table.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { countedTagsQuery, deleteTag } from './queries.ts'
import { TagDialog } from './TagDialog.tsx'
import { TagPill } from './TagPill.tsx'
import styles from './TagsPage.module.css'

/** Tags for customers and conversations. */
export function TagsPage() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const creating = useDialog()
  const editing = useDialog<CountedTag>()
  return (
    <Page
      title={t('tags.title')}
      text={t('tags.text')}
      actions={
        <Button variant="primary" icon={<Icon name="plus" size={18} />} onClick={() => creating.open()}>
          {t('tags.new')}
        </Button>
      }
    >
      <SearchInput label={t('tags.search')} value={text} onChange={setText} />
      <Tags tags={useQuery(countedTagsQuery)} text={text} edit={editing.open} />
      <TagDialog key={`new ${creating.turn}`} open={creating.isOpen} close={creating.close} />
      {editing.item && <TagDialog key={editing.turn} tag={editing.item} open={editing.isOpen} close={editing.close} />}
    </Page>
  )
}

interface TagsProps {
  tags: UseQueryResult<CountedTag[]>
  text: string
  edit: (tag: CountedTag) => void
}

function Tags({ tags, text, edit }: TagsProps) {
  const { t } = useTranslation()
  if (!tags.data) return <QueryView query={tags} failed={t('tags.list_failed')} />
  const matches = searchFields(tags.data, text, ({ id, name, description }) => [id, name, description])
  if (tags.data.length === 0)
    return <EmptyState drawing="soon" title={t('tags.no_tags')} text={t('tags.no_tags_text')} />
  if (matches.length === 0) return <EmptyState drawing="lost" title={t('tags.nothing')} />
  return <TagTable tags={matches} edit={edit} />
}

function TagTable({ tags, edit }: { tags: CountedTag[]; edit: TagsProps['edit'] }) {
  const { t } = useTranslation()
  const { shown, remaining, showMore } = usePortion(tags)
  const columns = [
    t('tags.name'),
    t('tags.description'),
    t('tags.customers'),
    t('tags.conversations'),
    t('tags.actions'),
  ] as const
  return (
    <>
      <Table label={t('tags.title')} columns={columns} figures={2}>
        <Each name="tag" items={shown} keyOf={(tag) => tag.id}>
          {(tag) => <TagRow tag={tag} edit={() => edit(tag)} />}
        </Each>
      </Table>
      <ShowMore remaining={remaining} label={t('show_more', { count: remaining })} showMore={showMore} />
    </>
  )
}

function TagRow({ tag, edit }: { tag: CountedTag; edit: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const remove = () => deleteTag(client, tag.id).catch((error) => showError('Tag not deleted', error))
  return (
    <tr className={styles.row}>
      <td>
        <Link to={`/tags/${tag.id}`} className={styles.tag}>
          <TagPill tag={tag} />
        </Link>
      </td>
      <OptionalCell>{tag.description && <Truncate text={tag.description} lines={3} />}</OptionalCell>
      <td data-figures data-label={t('tags.customers')}>
        {tag.customers_count ?? 0}
      </td>
      <td data-figures data-label={t('tags.conversations')}>
        {tag.conversations_count ?? 0}
      </td>
      <td>
        <Button variant="text" size="small" aria-label={`${t('edit')} ${tag.name}`} onClick={edit}>
          {t('edit')}
        </Button>
        <Confirm question={t('tags.confirm', { name: tag.name })} yes={t('yes')} no={t('no')} run={remove}>
          <Button variant="text" size="small" aria-label={`${t('delete')} ${tag.name}`}>
            {t('delete')}
          </Button>
        </Confirm>
      </td>
    </tr>
  )
}
