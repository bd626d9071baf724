import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { notify } from '../../../ui/notices.ts'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { integrationsQuery } from '../authorizations/queries.ts'
import styles from './DirectoryLinks.module.css'
import { addToDirectory, DIRECTORIES, type Directory, NAMES, profileQuery } from './queries.ts'

/** The customer's profiles in connected systems, with buttons to add missing ones. */
export function DirectoryLinks({ customer }: { customer: CustomerProfile }) {
  const { t } = useTranslation()
  // Events keep it up to date.
  const { data } = useQuery({ ...integrationsQuery, refetchOnMount: true, staleTime: 5 * 60_000 })
  const { email } = customer
  const connected = DIRECTORIES.filter((name) =>
    data?.data.some(({ integration, state }) => integration === name && state !== 'broken'),
  )
  if (!email || connected.length === 0) return null
  return (
    <section className={styles.links} aria-label={t('directory_links.label')}>
      <Each name="directory" items={connected} keyOf={(directory) => directory} fallback={() => <Undrawn />}>
        {(directory) => <DirectoryLink directory={directory} customer={{ ...customer, email }} />}
      </Each>
    </section>
  )
}

function DirectoryLink(props: { directory: Directory; customer: CustomerProfile & { email: string } }) {
  const { directory, customer } = props
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: profile, error, refetch } = useQuery(profileQuery(directory, customer.email))
  const [isAdding, setAdding] = useState(false)
  const name = NAMES[directory]
  async function add() {
    setAdding(true)
    await addToDirectory(client, directory, customer)
      .then(() => notify({ kind: 'success', title: t('directory_links.added', { name }) }))
      .catch((failure) => showError(`Not added to ${name}`, failure))
    setAdding(false)
  }
  if (error) {
    return (
      <p className={styles.failed}>
        {t('directory_links.failed', { name })}{' '}
        <Button size="small" variant="link" onClick={() => refetch()}>
          {t('retry')}
        </Button>
      </p>
    )
  }
  if (profile === null) {
    return (
      <Button size="small" icon={<Icon name="plus" size={16} />} loading={isAdding} onClick={add}>
        {t('directory_links.add', { name })}
      </Button>
    )
  }
  if (!profile?.href) return null
  return (
    <a href={profile.href} target="_blank" rel="noopener noreferrer">
      {t('directory_links.view', { name })}
    </a>
  )
}
