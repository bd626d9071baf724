/** Screens that the open chat fills: those of phones, upright or not. */
export const FULL_SCREEN = '(max-width:640px),(max-height:480px) and (pointer:coarse)'

const STYLE = `
:host{all:initial!important;display:block!important;position:fixed!important;z-index:var(--z)!important}
*{box-sizing:border-box}
:host([hidden]){display:none!important}
button{position:fixed;bottom:max(20px,env(safe-area-inset-bottom));z-index:2;width:50px;height:50px;padding:0;border:0;border-radius:50%;cursor:pointer;
background:var(--ground);color:var(--text);box-shadow:0 4px 16px #0003,0 0 0 1px #fff3;transition:.15s transform}
button:hover{transform:scale(1.06)}
button:focus-visible{outline:2px solid #fff;box-shadow:0 0 0 5px #1b2026}
button>img{position:absolute;inset:0;width:100%;height:100%;border-radius:50%;object-fit:cover;transition:.15s}
svg{position:absolute;inset:13px;width:24px;height:24px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;transition:.15s}
svg:first-child{fill:var(--fill)}
button,.panel{left:var(--left);right:var(--right);outline:2px solid #0000}
svg+svg,.open svg:first-child,.pictured svg:first-child,.open>img{opacity:0;transform:scale(.6)}
.open svg+svg{opacity:1;transform:none}
span{position:absolute;top:-4px;right:-4px;min-width:20px;height:20px;padding:0 5px;border-radius:10px;background:#c22;
color:#fff;font:600 12px/20px system-ui;text-align:center}
.panel{position:fixed;bottom:84px;width:376px;height:calc(100% - 104px);min-height:250px;max-height:704px;border-radius:16px;
overflow:hidden;background:var(--paper);box-shadow:0 12px 48px #0003,0 2px 8px #0003;opacity:0;visibility:hidden;
transform:translateY(12px);transition:.14s;transition-property:opacity,transform,visibility}
.open,.card{opacity:1;visibility:visible;transform:none!important;transition-property:opacity,transform}
.card{width:300px;height:var(--card);min-height:0;border-radius:0;background:none;box-shadow:none}
iframe{display:block;width:100%;height:100%;border:0;color-scheme:var(--theme)}
@media ${FULL_SCREEN}{.panel.open{top:var(--top);left:0;right:0;width:auto;height:var(--height);min-height:0;max-height:none;border-radius:0}button.open{display:none}}
@media(prefers-reduced-motion:reduce){*{transition:none!important}}
@media print{:host{display:none!important}}
`

/** Adds the styles as a constructed sheet, which a site's content security policy cannot block. */
export function addStyles(root: ShadowRoot) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
}

/**
 * Applies styles in React's notation: camel case, plain numbers are pixels. Set as properties, which a content security
 * policy cannot block.
 */
export function applyStyles({ style }: { style: object }, styles: Record<string, string | number>) {
  for (const [name, value] of Object.entries(styles)) {
    const isPlain = typeof value !== 'number' || /opacity|index|weight|line/i.test(name)
    Reflect.set(style, name, isPlain ? value : `${value}px`)
  }
}

/** Puts the widget above everything on the page, whatever z-index other elements have, unless the page sets its own. */
export function raise(host: HTMLElement, zIndex: unknown) {
  if (zIndex !== undefined) return
  host.popover = 'manual'
  host.showPopover?.()
}
