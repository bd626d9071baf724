// Says which browser is needed instead of a page that does not work. A script of its own, because the policy forbids
// inline ones and older browsers may not even read the others. Safari 16.4, Firefox 112 and Chrome 108 are the first
// that have all three features.
;(() => {
  if ('adoptedStyleSheets' in document && 'inert' in HTMLElement.prototype && CSS.supports('height', '1dvh')) return
  const texts = {
    en: 'Parley needs a newer browser: Safari 16.4, Firefox 115, Chrome or Edge 109, or a later version.',
    vi: 'Parley cần trình duyệt mới hơn: Safari 16.4, Firefox 115, Chrome hoặc Edge 109, hoặc phiên bản mới hơn.',
  }
  const language = /^vi\b/.test(navigator.language) ? 'vi' : 'en'
  // Without its element the dashboard draws nothing.
  document.addEventListener('DOMContentLoaded', () => {
    const text = document.createElement('p')
    text.setAttribute('role', 'alert')
    text.lang = language
    text.style.cssText = 'max-width: 34em; margin: 20vh auto 0; padding: 0 24px; font: 18px/1.5 sans-serif'
    text.textContent = texts[language]
    document.body.textContent = ''
    document.body.appendChild(text)
  })
})()
