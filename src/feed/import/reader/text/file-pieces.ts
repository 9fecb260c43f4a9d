import { open } from 'node:fs/promises';

const PIECE = 1024 * 1024;

/**
 * Yields a file in chunks that share one buffer: a chunk is valid only until the next is requested. A new buffer for each, as
 * streams allocate, costs more than reading and searching, because memory must be allocated and collected.
 */
export async function* filePieces(path: string, start: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(PIECE);
  const file = await open(path);
  try {
    for (let position = start; ;) {
      const { bytesRead } = await file.read(buffer, 0, PIECE, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
