import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ForwardingAddress } from '#contract/mail/forwarding-addresses.ts'
import { showError } from '../../../platform/http/errors.ts'
import { useAges } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { copyText } from '../../../ui/clipboard.ts'
import { notify } from '../../../ui/notices.ts'
import { Pill } from '../../../ui/Pill.tsx'
import { OptionalCell } from '../../../ui/Table.tsx'
import styles from './ForwardingPage.module.css'
import { deleteForwarding, testForwarding } from './queries.ts'

interface RowProps {
  address: ForwardingAddress
  canSend: boolean
  edit: () => void
}

/** One forwarding address: its state, and the confirmation that its mail service asks for. */
export function ForwardingRow({ address, canSend, edit }: RowProps) {
  const { t } = useTranslation()
  const { forwarding_email_address, source_email_address: source, description } = address
  const copy = async () => {
    const isCopied = await copyText(forwarding_email_address)
    notify({ kind: isCopied ? 'success' : 'info', title: t(isCopied ? 'forwarding.copied' : 'account.copy_failed') })
  }
  return (
    <tr>
      <td>
        <a className={styles.address} href={`mailto:${forwarding_email_address}`}>
          {forwarding_email_address}
        </a>{' '}
        <Button
          variant="text"
          size="small"
          aria-label={`${t('forwarding.copy')} ${forwarding_email_address}`}
          onClick={copy}
        >
          {t('forwarding.copy')}
        </Button>
      </td>
      <OptionalCell>
        {source}
        {description && <span className={styles.facts}>{description}</span>}
      </OptionalCell>
      <td>
        <AddressState address={address} />
        {canSend && <TestButton address={address} />}
      </td>
      <td>
        <Actions address={address} edit={edit} />
      </td>
    </tr>
  )
}

/** Real mail may arrive before, or without, the test that verifies the address. */
export function stateOf({ state, last_in_at }: ForwardingAddress): 'verified' | 'receiving' | 'pending' {
  return state === 'pending' && last_in_at ? 'receiving' : state
}

function AddressState({ address }: { address: ForwardingAddress }) {
  const { last_in_at, confirmation } = address
  const { t } = useTranslation()
  const formatAge = useAges()
  const state = stateOf(address)
  return (
    <>
      <Pill tone={state === 'verified' ? 'success' : 'warning'}>{t(`forwarding.${state}`)}</Pill>
      <span className={styles.facts}>
        {last_in_at ? t('forwarding.last', { ago: formatAge(last_in_at, 'long') }) : t('forwarding.no_mail')}
      </span>
      {confirmation?.code && (
        <span className={styles.facts}>
          {t('forwarding.confirmation_code', { from: confirmation.from, code: confirmation.code })}
        </span>
      )}
      {confirmation?.link && (
        <a className={styles.facts} href={confirmation.link} target="_blank" rel="noreferrer">
          {t('forwarding.confirmation_link', { from: confirmation.from })}
        </a>
      )}
    </>
  )
}

function TestButton({ address }: { address: ForwardingAddress }) {
  const { t } = useTranslation()
  const [isTesting, setTesting] = useState(false)
  const { source_email_address: source } = address
  async function test() {
    setTesting(true)
    await testForwarding(address)
      .then(() =>
        notify({ kind: 'success', title: t('forwarding.tested', { source }), text: t('forwarding.tested_text') }),
      )
      .catch((error) => showError(t('forwarding.test_failed'), error))
    setTesting(false)
  }
  return (
    <Button size="small" aria-label={`${t('forwarding.test')} ${source}`} loading={isTesting} onClick={test}>
      {t('forwarding.test')}
    </Button>
  )
}

function Actions({ address, edit }: Pick<RowProps, 'address' | 'edit'>) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { id, source_email_address: source } = address
  const remove = () => deleteForwarding(client, id).catch((error) => showError(t('forwarding.not_deleted'), error))
  return (
    <>
      <Button variant="text" size="small" aria-label={`${t('edit')} ${source}`} onClick={edit}>
        {t('edit')}
      </Button>
      <Confirm question={t('forwarding.confirm', { source })} yes={t('yes')} no={t('no')} run={remove}>
        <Button variant="text" size="small" aria-label={`${t('delete')} ${source}`}>
          {t('delete')}
        </Button>
      </Confirm>
    </>
  )
}
