import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useCounts } from '../features/conversations/conversations/counts.ts'
import { flashTabTitle } from '../ui/tab-title.ts'

const FLASH_MS = 2_000

/** While the tab is hidden and conversations are unread, shows that in its title every other two seconds. */
export function useTitleFlash() {
  const { t } = useTranslation()
  const { open } = useCounts().conversations
  const product = t('product')
  const news = t('new_messages', { count: open })
  useEffect(() => {
    let isNews = false
    const flash = () => {
      const isWaiting = document.hidden && open > 0
      isNews = isWaiting && !isNews
      flashTabTitle(isWaiting ? (isNews ? news : product) : undefined)
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
  }, [open, news, product])
}
