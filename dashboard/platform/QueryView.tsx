import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadFailed } from '../ui/LoadFailed.tsx'
import { TableSkeleton } from '../ui/Table.tsx'
import { errorText } from './http/errors.ts'

interface QueryViewProps {
  query: { error: unknown; refetch: () => unknown }
  /** The message if loading failed. */
  failed: string
  /** Shown while loading; a table skeleton by default. */
  loading?: ReactNode
}

/** Shown instead of missing data: a skeleton while it loads, or the error with a retry button. */
export function QueryView({ query: { error, refetch }, failed, loading }: QueryViewProps) {
  const { t } = useTranslation()
  if (!error) return loading ?? <TableSkeleton label={t('loading')} />
  return <LoadFailed title={failed} text={errorText(error)} retryLabel={t('retry')} retry={refetch} />
}
