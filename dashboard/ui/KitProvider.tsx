import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { fontFaces } from './fonts.ts'
import { KitWords, type Words } from './kit-words.ts'
import { cssColors, cssSizes, cssTouchSizes } from './tokens.ts'

const sheet = `${fontFaces}:where(:root){${cssSizes()}}@media (pointer:coarse){:where(:root){${cssTouchSizes()}}}:root{${cssColors('light')}}:root[data-scheme=dark]{${cssColors('dark')}}@media print{:root[data-scheme]{${cssColors('light')}}}`

interface KitProviderProps {
  /** The locale for sorting and text direction. */
  language: string
  words: Words
  children: ReactNode
}

/** Provides the theme tokens as CSS variables, and the texts of the controls. */
export function KitProvider({ language, words, children }: KitProviderProps) {
  return (
    <I18nProvider locale={language}>
      <KitWords value={words}>
        <style>{sheet}</style>
        {children}
      </KitWords>
    </I18nProvider>
  )
}
