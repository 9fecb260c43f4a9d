import { open } from 'node:fs/promises';

const PIECE = 1024 * 1024;

/**
 * A file in pieces, all in one and the same buffer: a piece is valid until the next is asked for. A new buffer for each, as streams
 * make them, costs more than reading and searching them, because memory is claimed and collected.
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
