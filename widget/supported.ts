/**
 * Whether the browser is new enough for what we ship; in older ones nothing of ours appears on the website. Safari 16.4,
 * Firefox 112 and Chrome 102 are the first that have both.
 */
export const isSupported = () => 'adoptedStyleSheets' in document && 'inert' in document.head
