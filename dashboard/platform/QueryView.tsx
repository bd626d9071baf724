import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadFailed } from '../ui/LoadFailed.tsx'
import { TableSkeleton } from '../ui/Table.tsx'
import { errorText } from './http/errors.ts'

interface QueryViewProps {
  query: { error: unknown; refetch: () => unknown }
  /** What could not be loaded, in a sentence. */
  failed: string
  /** What is shown meanwhile; the outline of a table without it. */
  loading?: ReactNode
}

/** Takes the place of data that is not there: what is shown while it is loading, or why that failed and another try. */
export function QueryView({ query: { error, refetch }, failed, loading }: QueryViewProps) {
  const { t } = useTranslation()
  if (!error) return loading ?? <TableSkeleton label={t('loading')} />
  return <LoadFailed title={failed} text={errorText(error)} retryLabel={t('retry')} retry={refetch} />
}
