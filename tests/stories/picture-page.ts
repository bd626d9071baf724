import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Where pictures of the stories' ends are collected. */
export const PICTURES = resolve(import.meta.dirname, '../../test-results/pictures')

/** One page that was open when a story ended. */
export interface Picture {
  /** The name of the story's file. */
  story: string
  test: string
  url: string
  /** The name of the image beside its description. */
  file: string
}

/** Writes `index.html` with all collected pictures, grouped by story. Returns its path and the number of pictures. */
export async function writePicturePage(): Promise<{ path: string; count: number }> {
  const descriptions = (await readdir(PICTURES)).filter((name) => name.endsWith('.json')).sort()
  const pictures = await Promise.all(
    descriptions.map(async (name): Promise<Picture> => JSON.parse(await readFile(join(PICTURES, name), 'utf8'))),
  )
  const groups = [...Map.groupBy(pictures, ({ story }) => story)]
  const path = join(PICTURES, 'index.html')
  await writeFile(
    path,
    PAGE.replace('<main>', () => `<main>${groups.map(groupOf).join('')}`),
  )
  return { path, count: pictures.length }
}

function groupOf([story, pictures]: [string, Picture[]]): string {
  return `<h2>${escapeHtml(story)}</h2>${pictures.map(figureOf).join('')}`
}

function figureOf({ test, url, file }: Picture): string {
  const { pathname } = new URL(url)
  return `<figure><a href="${escapeHtml(file)}"><img src="${escapeHtml(file)}" loading="lazy" alt=""></a>
    <figcaption>${escapeHtml(test)} <code>${escapeHtml(pathname)}</code></figcaption></figure>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>How each story ends</title>
<style>
  body { font: 14px/1.5 system-ui; margin: 24px; color-scheme: light dark }
  main { display: grid; gap: 24px; grid-template-columns: repeat(auto-fill, minmax(420px, 1fr)) }
  h2 { grid-column: 1 / -1; margin: 24px 0 0 }
  figure { margin: 0 }
  img { width: 100%; border: 1px solid gray }
</style>
<h1>How each story ends</h1>
<main></main>
</html>
`
