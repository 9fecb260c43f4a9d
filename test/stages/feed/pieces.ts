import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import type { ImportUpload } from '#shared/import/upload-calls.ts';
import type { Client } from '../client.ts';
import { token } from '../kontor.ts';

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Returns a catalogue of at least this many bytes; the same for the same number. `words` makes its texts longer, for tests that
 * need bytes but few rows.
 */
export function csvOf(bytes: number, words = 1): Buffer<ArrayBuffer> {
  const lines = ['sku;titel'];
  for (let [size, n] = [10, 0]; size < bytes; n++) {
    const line = `A-${n};Ware${` ${sha256(Buffer.from(String(n)))}`.repeat(words)}`;
    lines.push(line);
    size += line.length + 1;
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

export const begin = (client: Client, masterid: string, file: Uint8Array, more: Record<string, unknown> = {}) =>
  client.ask(api.beginImportUpload, { masterid }, { name: 'artikel.csv', size: file.length, ...more });

export type PieceAnswer = { status: number; code: string; offset: number; received: number };

/** Sends the bytes from `start` on as one piece. */
export async function sendPiece(
  client: Client,
  uploadid: string,
  piece: Uint8Array<ArrayBuffer>,
  start: number,
  said = sha256(piece),
): Promise<PieceAnswer> {
  const path = `${pathOf(api.sendImportPiece, { uploadid })}?offset=${start}&sha256=${said}`;
  const headers = { 'content-type': 'application/octet-stream' };
  const answer = await client.raw(path, { method: 'POST', headers, body: piece });
  const body = (await answer.json()) as { received?: number; error?: { code: string } };
  return {
    status: answer.status,
    code: body.error?.code ?? '',
    offset: Number(answer.headers.get('upload-offset') ?? Number.NaN),
    received: body.received ?? Number.NaN,
  };
}

/** Sends the remaining bytes as a program would: asks how much was received and continues from there. */
export async function sendRest(
  client: Client,
  uploadid: string,
  file: Uint8Array<ArrayBuffer>,
  pieceBytes = 1024 ** 2,
): Promise<ImportUpload> {
  for (;;) {
    const upload = await client.ask(api.importUpload, { uploadid });
    const { received } = upload;
    if (received === upload.size) return upload;
    const answer = await sendPiece(client, uploadid, file.slice(received, received + pieceBytes), received);
    if (answer.status !== 200 && answer.status !== 409)
      throw new Error(`piece at ${received} -> ${JSON.stringify(answer)}`);
  }
}

/** Sends part of a piece, then breaks the connection; `meanwhile` is called before. */
export async function breakOff(
  url: string,
  uploadid: string,
  { piece, start, sent }: { piece: Uint8Array; start: number; sent: number },
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const path = `${pathOf(api.sendImportPiece, { uploadid })}?offset=${start}&sha256=${sha256(piece)}`;
  const sending = request(new URL(path, url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
      'content-length': piece.length,
    },
  });
  sending.on('error', () => undefined);
  await new Promise<void>((resolve) => sending.write(piece.subarray(0, sent), () => resolve()));
  try {
    await meanwhile();
  } finally {
    sending.destroy();
  }
}
