import { DirectoryPage } from './DirectoryPage.tsx'

/** HubSpot of the whole account. */
export function HubspotPage() {
  return <DirectoryPage vendor="hubspot" name="HubSpot" />
}
