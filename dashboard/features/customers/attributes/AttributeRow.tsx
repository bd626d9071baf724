import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import { showError } from '../../../platform/http/errors.ts'
import { RowActions } from '../../../platform/RowActions.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import styles from './AttributesPage.module.css'
import { deleteAttribute, moveAttribute } from './saving.ts'

interface RowProps {
  attribute: AttributeDefinition
  /** Its index in the list of all of its subject. */
  at: number
  all: AttributeDefinition[]
  edit: () => void
}

export function AttributeRow({ attribute, at, all, edit }: RowProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { mutate, mutateAsync, isPending } = useMutation({
    mutationFn: (work: () => Promise<void>) => work(),
    onError: (error) => showError('Attribute not changed', error),
  })
  const { id, key, name, kind, choices, description, team_only } = attribute
  const move = (by: -1 | 1) => mutate(() => moveAttribute(client, all, at, by))
  return (
    <tr>
      <td>
        <span className={styles.name}>{name}</span> {team_only && <Pill>{t('attribute_definitions.team_only')}</Pill>}
        <div className={styles.quiet}>{description ? `${key} · ${description}` : key}</div>
      </td>
      <td>
        {t(`attribute_definitions.kinds.${kind}`)}
        <div className={styles.quiet}>{choices.join(', ')}</div>
      </td>
      <td>
        <RowActions
          name={name}
          order={{
            up: t('attribute_definitions.up', { name }),
            down: t('attribute_definitions.down', { name }),
            at,
            count: all.length,
            disabled: isPending,
            move,
          }}
          edit={edit}
          question={t('attribute_definitions.confirm', { name })}
          remove={() => mutateAsync(() => deleteAttribute(client, id)).catch(() => undefined)}
        />
      </td>
    </tr>
  )
}
