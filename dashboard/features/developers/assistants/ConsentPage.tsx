import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import {
  ASSISTANT_SCOPES,
  type AssistantScope,
  type Consent,
  type ConsentRequest,
} from '#contract/developers/assistants.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Check } from '../../../ui/Check.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { Page } from '../../../ui/Page.tsx'
import { ListSkeleton } from '../../../ui/Skeleton.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import styles from './Assistants.module.css'
import { consent, consentQuery } from './queries.ts'

/** A program asks to act in the name of the signed-in user. It opened this page, and is told the answer. */
export function ConsentPage() {
  const { t } = useTranslation()
  const asked = useRequest()
  const isAsked = asked.client_id !== '' && asked.redirect_uri !== ''
  const query = useQuery({ ...consentQuery(asked), enabled: isAsked })
  return (
    <Page title={t('assistants.consent_title')}>
      <div className={styles.consent}>
        {query.data && <Question consent={query.data} asked={asked} />}
        {query.isError && <Banner tone="danger">{errorText(query.error)}</Banner>}
        {!isAsked && <Banner>{t('assistants.nobody_asks')}</Banner>}
        {isAsked && query.isPending && <ListSkeleton rows={3} label={t('loading')} />}
      </div>
    </Page>
  )
}

/** What the program wrote into the address. */
function useRequest(): ConsentRequest {
  const [params] = useSearchParams()
  return {
    client_id: params.get('client_id') ?? '',
    redirect_uri: params.get('redirect_uri') ?? '',
    response_type: params.get('response_type'),
    scope: params.get('scope'),
    state: params.get('state'),
    code_challenge: params.get('code_challenge'),
    code_challenge_method: params.get('code_challenge_method'),
    resource: params.get('resource'),
  }
}

function Question({ consent: { name, redirect_host, is_local, scopes, refusal_url }, asked }: QuestionProps) {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  // Writing to customers is never allowed by default.
  const [chosen, setChosen] = useState<AssistantScope[]>(scopes.filter((scope) => scope !== 'send'))
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>()
  const allow = async () => {
    setSending(true)
    setError(undefined)
    try {
      window.location.assign(await consent(asked, chosen))
    } catch (failure) {
      setError(failure)
      setSending(false)
    }
  }
  const toggle = (scope: AssistantScope, isChosen: boolean) =>
    setChosen(ASSISTANT_SCOPES.filter((item) => (item === scope ? isChosen : chosen.includes(item))))
  return (
    <>
      <p>{t('assistants.asks', { name, email: me.email, company: account.company_name })}</p>
      <p className={styles.quiet}>{t('assistants.answer_goes', { host: redirect_host })}</p>
      {is_local && <Banner tone="warning">{t('assistants.local')}</Banner>}
      <fieldset className={styles.choices}>
        <legend>{t('assistants.it_may')}</legend>
        {scopes.map((scope) => (
          <Check
            key={scope}
            label={t(`assistants.scopes.${scope}`)}
            hint={t(`assistants.scope_hints.${scope}`)}
            checked={chosen.includes(scope)}
            onChange={(isChosen) => toggle(scope, isChosen)}
          />
        ))}
      </fieldset>
      <FormError text={error === undefined ? undefined : errorText(error)} />
      <div className={styles.buttons}>
        <Button onClick={() => window.location.assign(refusal_url)}>{t('assistants.refuse')}</Button>
        <Button variant="primary" loading={isSending} disabled={chosen.length === 0} onClick={() => void allow()}>
          {t('assistants.allow')}
        </Button>
      </div>
    </>
  )
}

interface QuestionProps {
  consent: Consent
  asked: ConsentRequest
}
