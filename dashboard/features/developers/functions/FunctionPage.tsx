import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Lambda } from '#contract/developers/functions.ts'
import { errorText, showError } from '../../../platform/http/errors.ts'
import { isTemporary } from '../../../platform/http/request.ts'
import { useLeaveWhenDeleted } from '../../../platform/useLeaveWhenDeleted.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'
import { notify } from '../../../ui/notices.ts'
import { Page } from '../../../ui/Page.tsx'
import { TableSkeleton } from '../../../ui/Table.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { apiKeysQuery } from '../api-keys/queries.ts'
import { FunctionEditor } from './FunctionEditor.tsx'
import { deleteFunction, functionQuery } from './queries.ts'
import { StatusPill } from './StatusPill.tsx'

const LIST = '/functions'
const NOTICE_SECONDS = 10

/** One function: its code, its state, a test chat, and its runs. */
export function FunctionPage() {
  const { id = '' } = useParams()
  return (
    <AdminsOnly>
      <OneFunction key={id} id={id} />
    </AdminsOnly>
  )
}

function OneFunction({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data: lambda, error, refetch } = useQuery(functionQuery(id))
  const keys = useQuery(apiKeysQuery)
  const failure = (lambda && isTemporary(error) ? undefined : error) ?? (keys.data ? undefined : keys.error)
  if (failure) {
    return (
      <LoadFailed
        isPage
        title={t('functions.one_failed')}
        text={errorText(failure)}
        retryLabel={t('retry')}
        retry={() => void Promise.all([refetch(), keys.refetch()])}
        back={{ to: LIST, label: t('functions.back') }}
      />
    )
  }
  if (!lambda || !keys.data) {
    return (
      <Page title={t('functions.title')}>
        <TableSkeleton label={t('loading')} />
      </Page>
    )
  }
  return <Loaded lambda={lambda} hasKey={keys.data.length > 0} />
}

function Loaded({ lambda, hasKey }: { lambda: Lambda; hasKey: boolean }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isDeleted, setDeleted] = useState(false)
  useLeaveWhenDeleted(isDeleted, LIST)
  async function remove() {
    try {
      await deleteFunction(lambda.id)
      setDeleted(true)
      client.removeQueries({ queryKey: ['functions', lambda.id, 'runs'] })
      notify({ kind: 'success', title: t('functions.deleted', { name: lambda.name }), seconds: NOTICE_SECONDS })
    } catch (error) {
      showError('Function not deleted', error)
    }
  }
  return (
    <Page
      back={<BackLink to={LIST}>{t('functions.back')}</BackLink>}
      title={lambda.name}
      badge={<StatusPill status={lambda.status} />}
      actions={
        <Confirm question={t('functions.confirm', { name: lambda.name })} yes={t('yes')} no={t('no')} run={remove}>
          <Button danger disabled={isDeleted}>
            {t('functions.delete')}
          </Button>
        </Confirm>
      }
    >
      {!isDeleted && (hasKey ? <FunctionEditor lambda={lambda} /> : <NeedsKey />)}
    </Page>
  )
}

function NeedsKey() {
  const { t } = useTranslation()
  return (
    <EmptyState
      drawing="rest"
      title={t('functions.needs_key')}
      text={t('functions.needs_key_text')}
      action={
        <ButtonLink variant="primary" to="/developers/personal-api-keys">
          {t('functions.generate_key')}
        </ButtonLink>
      }
    />
  )
}
