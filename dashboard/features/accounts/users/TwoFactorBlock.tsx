import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { twoFactor } from '#contract/accounts/two-factor.ts'
import type { Answer } from '#contract/endpoint.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'
import { Bone } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import styles from './ProfilePage.module.css'
import { beginTwoFactor, confirmTwoFactor, turnOffTwoFactor, twoFactorQuery } from './queries.ts'
import { throwIfWrongPassword } from './wrong-password.ts'

/** Two-factor authentication with an authenticator app. */
export function TwoFactorBlock() {
  const { t } = useTranslation()
  const query = useQuery(twoFactorQuery)
  const { data } = query
  return (
    <Block title={t('two_factor.title')} text={t('two_factor.text')}>
      {data ? (
        <Steps state={data} />
      ) : (
        <QueryView query={query} failed={t('two_factor.failed')} loading={<Bone width="60%" />} />
      )}
    </Block>
  )
}

function Steps({ state }: { state: Answer<typeof twoFactor.get>['data'] }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [begun, setBegun] = useState<{ secret: string; uri: string }>()
  const [codes, setCodes] = useState<string[]>()
  if (codes) return <RecoveryCodes codes={codes} done={() => setCodes(undefined)} />
  if (begun) {
    const confirmed = (made: string[]) => {
      setCodes(made)
      setBegun(undefined)
    }
    return <Confirm {...begun} confirmed={confirmed} cancel={() => setBegun(undefined)} />
  }
  return (
    <>
      {state.is_on && (
        <p className={styles.row}>
          <Pill tone="success">{t('two_factor.on')}</Pill>
          {t('two_factor.left', { count: state.recovery_codes_left })}
        </p>
      )}
      <WithPassword
        label={t(state.is_on ? 'two_factor.turn_off' : 'two_factor.turn_on')}
        run={async (password) => {
          if (state.is_on) await turnOffTwoFactor(client, password)
          else setBegun(await beginTwoFactor(password))
        }}
      />
    </>
  )
}

function WithPassword({ label, run }: { label: string; run: (password: string) => Promise<void> }) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const { saving, error, submit, guard } = useSaving(async () => {
    await run(password).catch(throwIfWrongPassword(t('profile.wrong_password')))
    setPassword('')
  })
  return (
    <form ref={guard.watch} className={styles.form} onSubmit={submit} noValidate>
      <PasswordField
        large
        label={t('two_factor.password')}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      <FormError text={error} />
      <div>
        <Button type="submit" loading={saving}>
          {label}
        </Button>
      </div>
    </form>
  )
}

interface ConfirmProps {
  secret: string
  uri: string
  confirmed: (recovery_codes: string[]) => void
  cancel: () => void
}

function Confirm({ secret, uri, confirmed, cancel }: ConfirmProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [code, setCode] = useState('')
  const { saving, error, submit, guard } = useSaving(async () => confirmed(await confirmTwoFactor(client, code)))
  return (
    <form ref={guard.watch} className={styles.form} onSubmit={submit} noValidate>
      <p>{t('two_factor.scan')}</p>
      <div className={styles.qr}>
        <QrCode value={uri} />
      </div>
      <p className={styles.secret}>{secret}</p>
      <TextField
        large
        label={t('two_factor.code')}
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={setCode}
      />
      <FormError text={error} />
      <div className={styles.row}>
        <Button variant="primary" type="submit" loading={saving}>
          {t('two_factor.confirm')}
        </Button>
        <Button onClick={cancel}>{t('cancel')}</Button>
      </div>
    </form>
  )
}

function RecoveryCodes({ codes, done }: { codes: string[]; done: () => void }) {
  const { t } = useTranslation()
  return (
    <>
      <p>{t('two_factor.recovery')}</p>
      <ul className={styles.codes}>
        <Each name="code" items={codes} keyOf={(code) => code}>
          {(code) => <li>{code}</li>}
        </Each>
      </ul>
      <div>
        <Button variant="primary" onClick={done}>
          {t('two_factor.saved')}
        </Button>
      </div>
    </>
  )
}
