const SVG = 'http://www.w3.org/2000/svg'
const SPEECH = 'M5.5 16.5a9 8 0 1 1 4 2.3l-5 1.7z'
const DOWN = 'M6 9.5l6 6 6-6'

/** The round button that opens and closes the chat. `iconUrl` replaces the speech bubble icon. */
export function drawBubble(root: ShadowRoot, iconUrl: string | null | undefined) {
  const button = document.createElement('button')
  button.append(drawIcon(SPEECH), drawIcon(DOWN))
  if (iconUrl) drawPicture(button, iconUrl)
  const badge = document.createElement('span')
  button.append(badge)
  root.append(button)

  function show(isOpen: boolean, unseen: number) {
    button.classList.toggle('open', isOpen)
    button.setAttribute('aria-label', `${isOpen ? 'Close' : 'Open'} chat widget`)
    button.setAttribute('aria-expanded', `${isOpen}`)
    badge.hidden = isOpen || unseen === 0
    badge.textContent = unseen > 9 ? '9+' : `${unseen}`
  }
  show(false, 0)
  return { button, show }
}

/** The speech bubble stays until the image has loaded, also where the page's policy blocks it. */
function drawPicture(button: HTMLElement, url: string) {
  const picture = document.createElement('img')
  picture.alt = ''
  picture.onload = () => {
    button.classList.add('pictured')
    button.append(picture)
  }
  picture.src = url
}

function drawIcon(path: string) {
  const icon = document.createElementNS(SVG, 'svg')
  icon.setAttribute('viewBox', '0 0 24 24')
  const line = document.createElementNS(SVG, 'path')
  line.setAttribute('d', path)
  icon.append(line)
  return icon
}
