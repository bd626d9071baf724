const TEXTS = {
  en: { watched: 'Our support team can see this page now.', stop: 'Stop' },
  vi: { watched: 'Nhóm hỗ trợ đang xem trang này.', stop: 'Dừng' },
}

const STYLE = `
:host{all:initial}
div{position:fixed;left:12px;bottom:12px;z-index:2147483646;display:flex;gap:8px;align-items:center;max-width:calc(100vw - 24px);
  box-sizing:border-box;padding:8px 8px 8px 12px;border-radius:8px;background:#1f2933;color:#fff;font:13px/1.4 system-ui,sans-serif}
i{flex:none;width:8px;height:8px;border-radius:50%;background:#ff6b5e}
button{all:unset;cursor:pointer;padding:4px 10px;border-radius:6px;background:#3d4c5a;color:#fff}
button:focus-visible{outline:2px solid #fff;outline-offset:1px}`

/** Shows the visitor that somebody watches, with a button that ends it. Returns a function that removes it. */
export function showSign(stop: () => void): () => void {
  const host = document.createElement('div')
  host.setAttribute('data-parley-block', '')
  const root = host.attachShadow({ mode: 'open' })
  // A constructed sheet is not affected by the page's policy and styles.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
  const { watched, stop: label } = /^vi\b/.test(document.documentElement.lang) ? TEXTS.vi : TEXTS.en
  const sign = document.createElement('div')
  sign.setAttribute('role', 'status')
  const text = document.createElement('span')
  text.textContent = watched
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = label
  button.onclick = stop
  sign.append(document.createElement('i'), text, button)
  root.append(sign)
  document.body.append(host)
  return () => host.remove()
}
