import { DirectoryPage } from './DirectoryPage.tsx'

export function HubspotPage() {
  return <DirectoryPage vendor="hubspot" name="HubSpot" />
}
