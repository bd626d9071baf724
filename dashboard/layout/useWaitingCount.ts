import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useCounts } from '../features/conversations/conversations/counts.ts'
import { countInTabTitle, flashTabTitle } from '../ui/tab-title.ts'

const FLASH_MS = 2_000

/**
 * Shows how many unread conversations wait for this user, their own and those of nobody: before the tab's title, and on
 * the icon of the installed app. While the tab is hidden, the title says so in words every other two seconds.
 */
export function useWaitingCount() {
  const { assigned, unassigned } = useCounts().conversations
  const waiting = assigned + unassigned
  useEffect(() => {
    countInTabTitle(waiting)
    showBadge(waiting)
  }, [waiting])
  // After signing out nothing waits for anybody.
  useEffect(
    () => () => {
      countInTabTitle(0)
      showBadge(0)
    },
    [],
  )
  useTitleFlash(waiting)
}

/** Only installed apps have a badge; some browsers refuse it instead of lacking it. */
function showBadge(count: number) {
  const shown = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  shown?.catch(() => undefined)
}

function useTitleFlash(waiting: number) {
  const { t } = useTranslation()
  const product = t('product')
  const news = t('new_messages', { count: waiting })
  useEffect(() => {
    let isNewsShown = false
    const flash = () => {
      const isFlashing = document.hidden && waiting > 0
      isNewsShown = isFlashing && !isNewsShown
      flashTabTitle(isFlashing ? (isNewsShown ? news : product) : undefined)
    }
    const show = () => {
      if (!document.hidden) flash()
    }
    const timer = setInterval(flash, FLASH_MS)
    document.addEventListener('visibilitychange', show)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', show)
      flashTabTitle(undefined)
    }
  }, [waiting, news, product])
}
