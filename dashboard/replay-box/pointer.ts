/** Above any page, and isolated from its styles. */
const HOST = `all:initial !important;position:fixed !important;inset:0 !important;display:block !important;
z-index:2147483647 !important;pointer-events:none !important;overflow:hidden !important`

const STYLE = `
.replayer-wrapper{position:absolute;inset:0}
.replayer-wrapper>div:not(.replayer-mouse){display:none !important}
.replayer-mouse{position:absolute;width:20px;height:20px;margin:-3px 0 0 -3px;transition:left .05s linear,top .05s linear;
  background:radial-gradient(circle at 8px 8px,#fff 0 4px,#1668dc 4px 7px,#0000 7px)}
.replayer-mouse.active::after{content:'';position:absolute;left:-6px;top:-6px;width:28px;height:28px;border-radius:50%;
  background:#1668dc66;animation:click .3s ease-in-out}
@keyframes click{from{transform:scale(.3)}to{transform:scale(1.2);opacity:0}}`

/** The visitor's pointer. Returns the element for the replayer, and a function that adds it to a new page. */
export function createPointer() {
  const host = document.createElement('div')
  host.style.cssText = HOST
  const shadow = host.attachShadow({ mode: 'closed' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  shadow.adoptedStyleSheets = [sheet]
  const root = document.createElement('div')
  shadow.append(root)
  const lay = () => document.documentElement?.append(host)
  lay()
  return { root, lay }
}
