import { DirectoryPage } from './DirectoryPage.tsx'

/** Intercom of the whole account. */
export function IntercomPage() {
  return <DirectoryPage vendor="intercom" name="Intercom" />
}
