/** The product's logo: two speech bubbles that share a corner. */
export function ProductLogo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path
        d="M4 7.5A4.5 4.5 0 0 1 8.5 3h11A4.5 4.5 0 0 1 24 7.5V12h-6.5A5.5 5.5 0 0 0 12 17.5V19l-5 4v-4.3a4.5 4.5 0 0 1-3-4.2v-7Z"
        fill="var(--accent)"
      />
      <path
        d="M14 18a4 4 0 0 1 4-4h6.5a4 4 0 0 1 4 4v4.5a4 4 0 0 1-2.5 3.7V30l-4.6-3.5H18a4 4 0 0 1-4-4V18Z"
        fill="none"
        stroke="var(--ink-strong)"
        strokeWidth="1.8"
        strokeLinejoin="round"
      />
    </svg>
  )
}
