import { useEffect } from 'react'

interface Shown {
  page_number: number
  total_pages: number
}

/** Goes to the last page when the current one no longer exists, because its customers were removed. */
export function useLastPage(shown: Shown | undefined, turn: (page: number) => void): boolean {
  const last = shown && shown.page_number > shown.total_pages ? shown.total_pages : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that no longer exists
  useEffect(() => {
    if (last) turn(last)
  }, [last])
  return last !== undefined
}
