import { DirectoryPage } from './DirectoryPage.tsx'

export function IntercomPage() {
  return <DirectoryPage vendor="intercom" name="Intercom" />
}
