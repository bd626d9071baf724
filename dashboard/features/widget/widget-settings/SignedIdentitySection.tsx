import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type IdentitySecret,
  type NewIdentitySecret,
  type SignedIdentity,
  signedIdentity,
} from '#contract/customers/signed-identity.ts'
import { errorText, logError } from '../../../platform/http/errors.ts'
import { useCall } from '../../../platform/session/widget-page-session.ts'
import { messageTime } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { copyText } from '../../../ui/clipboard.ts'
import { Each } from '../../../ui/Each.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { notify } from '../../../ui/notices.ts'
import { Switch } from '../../../ui/Switch.tsx'
import styles from './WidgetSettings.module.css'

/** The secrets with which a website signs its visitors' identity, and whether the inbox requires it. */
export function SignedIdentitySection({ inbox_id }: { inbox_id: string }) {
  const { t } = useTranslation()
  const { identity, made, error, create, remove, demand } = useIdentity(inbox_id)
  if (!identity) return <FormError text={error} />
  return (
    <div className={styles.install}>
      {made && <NewSecret secret={made.secret} />}
      {identity.secrets.length > 0 && (
        <ul className={styles.secrets} aria-label={t('identity.secrets')}>
          <Each name="secret" items={identity.secrets} keyOf={(secret) => secret.id}>
            {(secret) => (
              <li>
                <Secret secret={secret} remove={() => remove(secret.id)} />
              </li>
            )}
          </Each>
        </ul>
      )}
      <Switch
        label={t('identity.require')}
        hint={t('identity.require_hint')}
        checked={identity.is_required}
        onChange={demand}
      />
      <FormError text={error} />
      <div>
        <Button onClick={create}>{t(identity.secrets.length > 0 ? 'identity.rotate' : 'identity.create')}</Button>
      </div>
    </div>
  )
}

/** The new secret, shown only once. */
function NewSecret({ secret }: { secret: string }) {
  const { t } = useTranslation()
  const copy = async () => {
    const isCopied = await copyText(secret)
    notify({ kind: isCopied ? 'success' : 'error', title: t(isCopied ? 'widget.copied' : 'widget.not_copied') })
  }
  return (
    <div className={styles.secret} role="status">
      <p>{t('identity.once')}</p>
      <code>{secret}</code>
      <Button onClick={copy}>{t('widget.copy')}</Button>
    </div>
  )
}

function Secret({ secret, remove }: { secret: IdentitySecret; remove: () => Promise<void> }) {
  const { t } = useTranslation()
  const { hint, retires_at } = secret
  return (
    <>
      <span>
        {t('identity.ends_with', { hint })}{' '}
        {retires_at && <span className={styles.quiet}>{t('identity.retires', { time: messageTime(retires_at) })}</span>}
      </span>
      <Confirm question={t('identity.confirm')} yes={t('yes')} no={t('no')} run={remove}>
        <Button size="small">
          {t('delete')}
          <span className="unseen"> {t('identity.ends_with', { hint })}</span>
        </Button>
      </Confirm>
    </>
  )
}

function useIdentity(inbox_id: string) {
  const call = useCall()
  const client = useQueryClient()
  const queryKey = ['signed-identity', inbox_id]
  const params = { id: inbox_id }
  const [made, setMade] = useState<NewIdentitySecret>()
  const [refusal, setRefusal] = useState<string>()
  const { data: identity, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await call(signedIdentity.get, { params, signal })).data,
    refetchOnMount: 'always',
  })

  /** Runs a change and refetches the state. */
  async function act(work: () => Promise<void>) {
    setRefusal(undefined)
    try {
      await work()
    } catch (failure) {
      logError('Signed identity not changed', failure)
      setRefusal(errorText(failure))
    }
    await client.invalidateQueries({ queryKey })
  }

  return {
    identity,
    made,
    error: refusal ?? (error && !identity ? errorText(error) : undefined),
    create: () => act(async () => setMade((await call(signedIdentity.createSecret, { params, body: {} })).data)),
    remove: (secret_id: string) =>
      act(async () => {
        await call(signedIdentity.removeSecret, { params: { id: inbox_id, secret_id } })
        setMade((previous) => (previous?.id === secret_id ? undefined : previous))
      }),
    demand: (is_required: boolean) =>
      void act(async () => {
        // The switch changes at once; the refetch reverts it if the change is refused.
        client.setQueryData<SignedIdentity>(queryKey, (cached) => cached && { ...cached, is_required })
        await call(signedIdentity.require, { params, body: { signed_identity: { is_required } } })
      }),
  }
}
