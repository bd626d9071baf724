import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { ConversationView } from '#contract/conversations/views.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { showError } from '../../../platform/http/errors.ts'
import { useDialog } from '../../../platform/useDialog.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { LazyMount } from '../../../ui/LazyMount.tsx'
import { Menu, type MenuItem } from '../../../ui/Menu.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import type { View } from '../conversations/views.ts'
import { deleteView, moveView, viewsQuery } from './queries.ts'
import { ViewDialog } from './ViewDialog.tsx'

/** What can be done with the list: save it as a view; or change, move and delete the view that it is. */
export function ViewMenu({ list }: { list: View }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const editing = useDialog<ConversationView | null>()
  const deleting = useDialog<ConversationView>()
  const view = useQuery(viewsQuery).data?.find(({ id }) => id === list.saved?.id)
  const items = useItems(
    view,
    () => view && editing.open(view),
    () => view && deleting.open(view),
  )
  const save = () => editing.open(null)
  return (
    <>
      {view ? (
        <Menu items={[{ key: 'copy', label: t('saved_views.copy'), onClick: save }, ...items]}>
          {(trigger) => <IconButton {...trigger} icon="more" label={t('saved_views.menu')} />}
        </Menu>
      ) : (
        <IconButton icon="settings" label={t('saved_views.save')} onClick={save} />
      )}
      <LazyMount when={editing.isOpen}>
        <ViewDialog
          key={editing.turn}
          view={editing.item ?? undefined}
          list={list}
          open={editing.isOpen}
          close={editing.close}
          onSaved={(id) => void navigate(`/conversations/views/${id}`)}
        />
      </LazyMount>
      {deleting.item && (
        <DeleteDialog key={deleting.turn} view={deleting.item} open={deleting.isOpen} close={deleting.close} />
      )}
    </>
  )
}

/** Members change their own views only, admins also those of the whole team. */
function useItems(view: ConversationView | undefined, edit: () => void, remove: () => void): MenuItem[] {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { me } = useTeam()
  const { data: views = [] } = useQuery(viewsQuery)
  if (!view || (!view.is_personal && me.role !== 'admin')) return []
  const list = views.filter(({ is_personal }) => is_personal === view.is_personal)
  const at = list.findIndex(({ id }) => id === view.id)
  const move = (step: -1 | 1) =>
    void moveView(client, view, step).catch((error) => showError(t('saved_views.not_moved'), error))
  return [
    { key: 'edit', label: t('saved_views.edit'), onClick: edit },
    { key: 'up', label: t('saved_views.up'), disabled: at <= 0, onClick: () => move(-1) },
    { key: 'down', label: t('saved_views.down'), disabled: at === list.length - 1, onClick: () => move(1) },
    { key: 'delete', label: t('saved_views.delete'), danger: true, onClick: remove },
  ]
}

interface DeleteProps {
  view: ConversationView
  open: boolean
  close: () => void
}

function DeleteDialog({ view, open, close }: DeleteProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const deleting = useSaving(async () => {
    await deleteView(client, view.id)
    close()
    void navigate('/conversations/all')
  })
  return (
    <FormDialog
      title={t('saved_views.confirm', { name: view.name })}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('saved_views.delete')}
      danger
      {...deleting}
    >
      <p>{t(view.is_personal ? 'saved_views.kept' : 'saved_views.kept_shared')}</p>
    </FormDialog>
  )
}
