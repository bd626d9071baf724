import { afterEach } from 'vitest'
import { clearAnnounced, refusal, unannouncedChanges, watched } from './watched.ts'

/** Fails a test after which a bystander is not as it was before. */
afterEach(async () => {
  const changes = (await Promise.all([...watched].map(unannouncedChanges))).filter(Boolean)
  clearAnnounced()
  if (changes.length > 0) throw refusal(changes.join('\n'))
})
