import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import type { LanguageModelSettings, LanguageModelUsage } from '#contract/connections/language-model.ts'
import { formatNumber } from '../../../platform/formats.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { notify } from '../../../ui/notices.ts'
import { Page } from '../../../ui/Page.tsx'
import { Table } from '../../../ui/Table.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { ModelForm } from './ModelForm.tsx'
import { modelSettingsQuery, modelUsageQuery, removeLanguageModel } from './queries.ts'

/** The language model with which the team writes: where it is, its bounds, and how much it was used. */
export function LanguageModelPage() {
  const { t } = useTranslation()
  return (
    <AdminsOnly>
      <Page title={t('language_model.title')} text={t('language_model.text')}>
        <Settings />
      </Page>
    </AdminsOnly>
  )
}

function Settings() {
  const { t } = useTranslation()
  const { data, ...query } = useQuery(modelSettingsQuery)
  if (!data) return <QueryView query={query} failed={t('language_model.failed')} />
  return (
    <>
      <Banner>{t('language_model.leaves')}</Banner>
      <ModelForm key={data.base_url ?? ''} settings={data} />
      {data.base_url !== null && <Usage />}
      {data.base_url !== null && <Forget settings={data} />}
    </>
  )
}

function Usage() {
  const { t } = useTranslation()
  const { data, ...query } = useQuery(modelUsageQuery)
  return (
    <Block title={t('language_model.usage')} wide>
      {data ? <Counts usage={data} /> : <QueryView query={query} failed={t('language_model.usage_failed')} />}
    </Block>
  )
}

function Counts({ usage: { tokens, tokens_per_month, people } }: { usage: LanguageModelUsage }) {
  const { t } = useTranslation()
  const { account } = useTeam()
  const nameOf = (user_id: number | null) => {
    const user = account.users.find(({ id }) => id === user_id)
    return user_id === null ? t('language_model.nobody') : user ? userName(user) : `#${user_id}`
  }
  const columns = [t('language_model.person'), t('language_model.requests'), t('language_model.tokens')] as const
  return (
    <>
      <p>{t('language_model.used', { tokens: formatNumber(tokens), bound: formatNumber(tokens_per_month) })}</p>
      {people.length > 0 && (
        <Table label={t('language_model.usage')} columns={[...columns, '']} figures={2}>
          <Each name="person" items={people} keyOf={({ user_id }) => String(user_id)}>
            {({ user_id, requests, tokens_in, tokens_out }) => (
              <tr>
                <td>{nameOf(user_id)}</td>
                <td data-figures data-label={t('language_model.requests')}>
                  {formatNumber(requests)}
                </td>
                <td data-figures data-label={t('language_model.tokens')}>
                  {formatNumber(tokens_in + tokens_out)}
                </td>
                <td />
              </tr>
            )}
          </Each>
        </Table>
      )}
    </>
  )
}

function Forget({ settings: { model } }: { settings: LanguageModelSettings }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const run = async () => {
    try {
      await removeLanguageModel(client)
      notify({ kind: 'success', title: t('language_model.forgotten') })
    } catch (error) {
      showError(t('language_model.not_forgotten'), error)
    }
  }
  return (
    <Block title={t('language_model.forget')} text={t('language_model.forget_text')}>
      <div>
        <Confirm question={t('language_model.confirm', { model })} yes={t('yes')} no={t('no')} run={run}>
          <Button danger>{t('language_model.forget')}</Button>
        </Confirm>
      </div>
    </Block>
  )
}
