import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterEach } from 'vitest'
import { picturesOfOpenPages } from '#tests/support/browser.ts'
import { PICTURES, type Picture } from './picture-page.ts'

// `npm run pictures` collects how each story ends. Not in other runs: a picture takes as long as many stories' steps.
if (process.env.PICTURES) {
  afterEach(async ({ task }) => {
    const story = basename(task.file.name, '.story.ts')
    const pictures = await picturesOfOpenPages()
    await mkdir(PICTURES, { recursive: true })
    await Promise.all(
      pictures.map(async ({ url, image }, at) => {
        const file = `${story}-${task.id}-${at}.jpg`
        const picture: Picture = { story, test: task.name, url, file }
        await writeFile(join(PICTURES, file), image)
        await writeFile(join(PICTURES, `${file}.json`), JSON.stringify(picture))
      }),
    )
  })
}
