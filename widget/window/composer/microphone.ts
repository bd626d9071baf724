/** Whether a voice can be recorded here. Sites without TLS, and old browsers, have no microphone. */
export const HAS_MICROPHONE = typeof MediaRecorder === 'function' && !!navigator.mediaDevices
