import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { operations } from '#contract/operations/operations.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { useCall } from '../../../platform/session/widget-page-session.ts'
import { Button } from '../../../ui/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import styles from './AddressNotice.module.css'

/**
 * Warns admins if the configured address differs from the one in the browser, and offers to change it. Members are not
 * warned: they may use a private address on purpose.
 */
export function AddressNotice() {
  const { me } = useTeam()
  return me.role === 'admin' ? <Notice pageOrigin={location.origin} /> : null
}

function Notice({ pageOrigin }: { pageOrigin: string }) {
  const { t } = useTranslation()
  const call = useCall()
  const { data: address } = useQuery({
    queryKey: ['installation-address'],
    queryFn: async ({ signal }) => (await call(operations.address, { signal })).data,
  })
  const change = useMutation({
    mutationFn: () => call(operations.changeAddress, { body: { base_url: pageOrigin } }),
    // The address was loaded with the page.
    onSuccess: () => location.reload(),
  })
  if (!address || address.base_url === pageOrigin) return null
  const configuredHost = new URL(address.base_url).host
  return (
    <section className={styles.notice} aria-label={t('widget.address.title')}>
      <Icon name="alert" size={18} />
      <div className={styles.words}>
        <strong>{t('widget.address.title')}</strong>
        <p>{t('widget.address.text', { known: configuredHost, here: new URL(pageOrigin).host })}</p>
        {address.may_change ? (
          <Button size="small" loading={change.isPending} onClick={() => change.mutate()}>
            {t('widget.address.use', { here: pageOrigin })}
          </Button>
        ) : (
          <p>{t('widget.address.fixed')}</p>
        )}
        <FormError text={change.error ? errorText(change.error) : undefined} />
      </div>
    </section>
  )
}
