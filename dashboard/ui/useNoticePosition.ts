import { type RefObject, useEffect } from 'react'
import { setNoticePosition } from './notices.ts'

/** Places notices directly above an element while it is mounted, and follows its size. */
export function useNoticePosition(below: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = below.current
    if (!element) return
    const position = () => {
      const { left, top, width } = element.getBoundingClientRect()
      setNoticePosition({ left, width, bottom: window.innerHeight - top })
    }
    const observer = new ResizeObserver(position)
    observer.observe(element)
    observer.observe(document.documentElement)
    return () => {
      observer.disconnect()
      setNoticePosition(undefined)
    }
  }, [below])
}
