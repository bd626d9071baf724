import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { replaceFolders } from '../bin/replace-folders.ts'

test('a finished build replaces the parts that it has, all of each, and leaves the others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), path)
  }
  for (const path of ['dist/dashboard/index.html', 'dist/dashboard/old.js', 'dist/sdk/index.js', 'dist/.built-from'])
    write(path)
  for (const path of ['dist/.next/dashboard/index.html', 'dist/.next/dashboard/new.js', 'dist/.next/widget/widget.js'])
    write(path)
  replaceFolders(join(folder, 'dist/.next'), join(folder, 'dist'))
  expect(readdirSync(join(folder, 'dist')).sort()).toEqual(['.built-from', 'dashboard', 'sdk', 'widget'])
  expect(readdirSync(join(folder, 'dist/dashboard')).sort()).toEqual(['index.html', 'new.js'])
  expect(readFileSync(join(folder, 'dist/dashboard/index.html'), 'utf8')).toBe('dist/.next/dashboard/index.html')
})
