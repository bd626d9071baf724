/** Whether voice messages can be recorded. Sites without TLS and old browsers have no microphone access. */
export const HAS_MICROPHONE = typeof MediaRecorder === 'function' && !!navigator.mediaDevices
