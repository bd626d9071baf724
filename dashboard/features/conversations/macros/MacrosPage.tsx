import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Macro } from '#contract/conversations/macros.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { actionText } from '../rules/sentences.ts'
import { useChoices } from '../rules/useChoices.ts'
import { MacroDialog } from './MacroDialog.tsx'
import { deleteMacro, macrosQuery } from './queries.ts'

/** Actions and texts that people run by one key: their own, and those of the team. */
export function MacrosPage() {
  const { t } = useTranslation()
  const creating = useDialog()
  const editing = useDialog<Macro>()
  return (
    <Page
      title={t('titles.macros')}
      text={t('macros.text')}
      actions={
        <Button variant="primary" icon={<Icon name="plus" size={18} />} onClick={creating.open}>
          {t('macros.new')}
        </Button>
      }
    >
      <MacroTable macros={useQuery(macrosQuery)} edit={editing.open} />
      <MacroDialog key={`new ${creating.turn}`} open={creating.isOpen} close={creating.close} />
      {editing.item && (
        <MacroDialog key={editing.turn} macro={editing.item} open={editing.isOpen} close={editing.close} />
      )}
    </Page>
  )
}

interface TableProps {
  macros: UseQueryResult<Macro[]>
  edit: (macro: Macro) => void
}

function MacroTable({ macros, edit }: TableProps) {
  const { t } = useTranslation()
  const choices = useChoices()
  if (!macros.data) return <QueryView query={macros} failed={t('macros.failed')} />
  if (macros.data.length === 0) return <EmptyState drawing="talk" title={t('macros.none')} text={t('macros.text')} />
  const columns = [t('rules.name'), t('macros.does'), t('rules.action')] as const
  return (
    <Table label={t('titles.macros')} columns={columns}>
      <Each name="macro" items={macros.data} keyOf={({ id }) => id}>
        {(macro) => (
          <tr>
            <td>
              <Truncate text={macro.name} /> {macro.is_personal && <Pill>{t('macros.personal')}</Pill>}
            </td>
            <td dir="auto">
              <Truncate
                lines={2}
                text={[...macro.actions.map((action) => actionText(t, choices, action)), macro.content]
                  .filter(Boolean)
                  .join(' · ')}
              />
            </td>
            <td>
              <MacroTools macro={macro} edit={() => edit(macro)} />
            </td>
          </tr>
        )}
      </Each>
    </Table>
  )
}

/** Shared macros are changed by admins only. */
function MacroTools({ macro: { id, name, is_personal }, edit }: { macro: Macro; edit: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { me } = useTeam()
  if (!is_personal && me.role !== 'admin') return null
  const remove = () => deleteMacro(client, id).catch((error) => showError(t('macros.not_deleted'), error))
  return (
    <>
      <Button variant="text" size="small" aria-label={`${t('edit')} ${name}`} onClick={edit}>
        {t('edit')}
      </Button>
      <Confirm question={t('rules.confirm', { name })} yes={t('yes')} no={t('no')} run={remove}>
        <Button variant="text" size="small" aria-label={`${t('delete')} ${name}`}>
          {t('delete')}
        </Button>
      </Confirm>
    </>
  )
}
