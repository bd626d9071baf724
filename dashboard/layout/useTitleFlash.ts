import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useCounts } from '../features/conversations/counts.ts'

const FLASH_MS = 2_000

/** While the tab is hidden and conversations wait, its title says so every other two seconds. */
export function useTitleFlash() {
  const { t } = useTranslation()
  const { open } = useCounts().conversations
  const product = t('product')
  const news = t('new_messages', { count: open })
  useEffect(() => {
    let isNews = false
    const flash = () => {
      isNews = document.hidden && open > 0 && !isNews
      document.title = isNews ? news : product
    }
    const show = () => {
      if (!document.hidden) flash()
    }
    const timer = setInterval(flash, FLASH_MS)
    document.addEventListener('visibilitychange', show)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', show)
      document.title = product
    }
  }, [open, news, product])
}
