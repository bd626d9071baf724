import { ConfigProvider } from 'antd'
import { type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { fontFaces } from './fonts.ts'
import { kitTheme } from './kit-theme.ts'
import { isTouched, onSchemeChange, readScheme, wantsStillness } from './scheme.ts'
import { cssColors, cssSizes } from './tokens.ts'

const sheet = `${fontFaces}:where(:root){${cssSizes()}}:root{${cssColors('light')}}:root[data-scheme=dark]{${cssColors('dark')}}`

interface ThemedProps {
  /** What stands in a list of choices in which there is nothing. */
  nothing: string
  children: ReactNode
}

/** Puts our tokens around everything: as CSS variables, and as the theme of the component kit. */
export function Themed({ nothing, children }: ThemedProps) {
  const scheme = useSyncExternalStore(onSchemeChange, readScheme)
  const theme = useMemo(() => kitTheme(scheme, { moves: !wantsStillness(), touches: isTouched() }), [scheme])
  return (
    <ConfigProvider theme={theme} button={{ autoInsertSpace: false }} renderEmpty={() => nothing}>
      <style>{sheet}</style>
      {children}
    </ConfigProvider>
  )
}
