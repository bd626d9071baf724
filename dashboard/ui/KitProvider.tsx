import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { fontFaces } from './fonts.ts'
import { KitLabels, type Labels } from './kit-labels.ts'
import { cssColors, cssSizes, cssTouchSizes } from './tokens.ts'

const sheet = `${fontFaces}:where(:root){${cssSizes()}}@media (pointer:coarse){:where(:root){${cssTouchSizes()}}}:root{${cssColors('light')}}:root[data-scheme=dark]{${cssColors('dark')}}@media print{:root[data-scheme]{${cssColors('light')}}}`

interface KitProviderProps {
  /** The locale for sorting and text direction. */
  language: string
  labels: Labels
  children: ReactNode
}

/** Provides the theme tokens as CSS variables, and the texts of the controls. */
export function KitProvider({ language, labels, children }: KitProviderProps) {
  return (
    <I18nProvider locale={language}>
      <KitLabels value={labels}>
        <style>{sheet}</style>
        {children}
      </KitLabels>
    </I18nProvider>
  )
}
