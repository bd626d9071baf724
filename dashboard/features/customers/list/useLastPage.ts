import { useEffect } from 'react'

interface Shown {
  page_number: number
  total_pages: number
}

/** Turns back to the last page when the one that is shown is no more, because who stood on it is gone. */
export function useLastPage(shown: Shown | undefined, turn: (page: number) => void): boolean {
  const last = shown && shown.page_number > shown.total_pages ? shown.total_pages : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that is no more
  useEffect(() => {
    if (last) turn(last)
  }, [last])
  return last !== undefined
}
