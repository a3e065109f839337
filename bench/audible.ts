/** Whether a frame of mu-law is louder than line noise. Its codes count down from silence. */
export const isAudible = (frame: Uint8Array): boolean => frame.some((code) => (code & 0x7f) < 0x60)
