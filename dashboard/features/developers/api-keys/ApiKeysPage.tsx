import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiKey } from '#contract/developers/api-keys.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { copyText } from '../../../ui/clipboard.ts'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { notify } from '../../../ui/notices.ts'
import { Page } from '../../../ui/Page.tsx'
import { Table } from '../../../ui/Table.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { ApiKeyRow } from './ApiKeyRow.tsx'
import styles from './ApiKeysPage.module.css'
import { GenerateDialog } from './GenerateDialog.tsx'
import { apiKeysQuery } from './queries.ts'

/** The API keys of the signed-in user. Programs that use them act as that user. */
export function ApiKeysPage() {
  return (
    <AdminsOnly>
      <Keys />
    </AdminsOnly>
  )
}

function Keys() {
  const { t } = useTranslation()
  const generating = useDialog()
  const { values, show, hide } = useRevealed()
  return (
    <Page
      title={t('api_keys.title')}
      text={t('api_keys.text')}
      actions={
        <>
          <a className={styles.docs} href="/api/docs" target="_blank" rel="noreferrer">
            {t('api_keys.docs')}
          </a>
          <Button variant="primary" icon={<Icon name="plus" size={18} />} onClick={generating.open}>
            {t('api_keys.generate')}
          </Button>
        </>
      }
    >
      <KeyTable keys={useQuery(apiKeysQuery)} values={values} show={show} hide={hide} />
      <GenerateDialog
        key={generating.turn}
        open={generating.isOpen}
        close={generating.close}
        generated={({ id, value }) => show(id, value)}
      />
    </Page>
  )
}

interface Revealed {
  /** Keys that are currently shown, by id. */
  values: Readonly<Record<string, string>>
  /** Shows a key and copies it to the clipboard. */
  show: (id: string, value: string) => Promise<void>
  hide: (id: string) => void
}

function useRevealed(): Revealed {
  const { t } = useTranslation()
  const [values, setValues] = useState<Revealed['values']>({})
  return {
    values,
    async show(id, value) {
      setValues((shown) => ({ ...shown, [id]: value }))
      const isCopied = await copyText(value)
      notify({ kind: isCopied ? 'success' : 'info', title: t(isCopied ? 'api_keys.revealed' : 'account.copy_failed') })
    },
    hide: (id) => setValues(({ [id]: _, ...others }) => others),
  }
}

function KeyTable({ keys, values, show, hide }: { keys: UseQueryResult<ApiKey[]> } & Revealed) {
  const { t } = useTranslation()
  if (!keys.data) return <QueryView query={keys} failed={t('api_keys.failed')} />
  if (keys.data.length === 0) {
    return <EmptyState drawing="rest" title={t('api_keys.none')} text={t('api_keys.none_text')} />
  }
  return (
    <Table label={t('api_keys.title')} columns={[t('api_keys.label'), t('api_keys.key'), t('api_keys.actions')]}>
      <Each name="key" items={keys.data} keyOf={(key) => key.id}>
        {(key) => (
          <ApiKeyRow
            apiKey={key}
            value={values[key.id]}
            show={(value) => show(key.id, value)}
            hide={() => hide(key.id)}
          />
        )}
      </Each>
    </Table>
  )
}
