/** Maximum size of a mail in bytes, including attachments. */
export const RAW_LIMIT = 35_000_000
/** Of all header sections of a mail together, those of the parts included. */
export const HEADER_BYTES = 256_000
export const HEADER_LINES = 5_000
