import { ConfigProvider } from 'antd'
import { type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { fontFaces } from './fonts.ts'
import { kitTheme } from './kit-theme.ts'
import { onSchemeChange, readScheme, wantsStillness } from './scheme.ts'
import { cssColors, cssSizes } from './tokens.ts'

const sheet = `${fontFaces}:where(:root){${cssSizes()}}:root{${cssColors('light')}}:root[data-scheme=dark]{${cssColors('dark')}}`

/** Puts our tokens around everything: as CSS variables, and as the theme of the component kit. */
export function Themed({ children }: { children: ReactNode }) {
  const scheme = useSyncExternalStore(onSchemeChange, readScheme)
  const theme = useMemo(() => kitTheme(scheme, !wantsStillness()), [scheme])
  return (
    <ConfigProvider theme={theme} button={{ autoInsertSpace: false }}>
      <style>{sheet}</style>
      {children}
    </ConfigProvider>
  )
}
