/**
 * Returns the memory of bytes that nothing uses any more, without waiting for the garbage collector, which large buffers make run
 * more often. They are empty afterwards. Bytes in memory that is shared with others stay as they are.
 */
export const releaseBytes = (bytes: Uint8Array): void => {
  const { buffer } = bytes
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) buffer.transfer(0)
}
