/** The last step of `npm run build:react`: adds types, package.json and README to the built module. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const types = join(root, '.cache/types/widget/widget')
const dist = join(root, 'dist/react')

for (const name of ['package.json', 'README.md']) await cp(join(root, 'widget/react', name), join(dist, name))
const names = ['index', 'ChatWidget', 'ChatWindow', 'parley', 'saved'].map((name) => `react/${name}.d.ts`)
for (const name of [...names, 'loader/types.d.ts']) {
  await mkdir(join(dist, 'types', name, '..'), { recursive: true })
  // The published package contains declarations, not our sources.
  const text = (await readFile(join(types, name), 'utf8')).replaceAll(/(from '[^']+)\.tsx?'/g, "$1.js'")
  await writeFile(join(dist, 'types', name), text)
}
console.log(`The package is in ${dist}`)
