import { type StatsFs, statfsSync } from 'node:fs';
import { open, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { sizeText } from '#shared/values/size-text.ts';
import { KontorError } from '#platform/errors.ts';

/** Space that incoming files must leave free for the database and other companies: a share of the disk, at most KEPT_BYTES. */
const KEPT_SHARE = 0.05;
const KEPT_BYTES = 2 * 1024 ** 3;

/** Room needed per byte of a file, as its result is stored next to it: a file as large as the disk could not be processed. */
const WITH_ITS_RESULT = 1.5;

/** Bytes between two checks of the disk, and bytes after which data is forced to the disk. */
const LOOK_BYTES = 8 * 1024 ** 2;
const FORCE_BYTES = 512 * 1024 ** 2;

/** Returns the bytes that may still be written; negative if the reserve is already used. */
const roomOf = ({ bavail, blocks, bsize }: StatsFs): number =>
  bavail * bsize - Math.min(KEPT_BYTES, blocks * bsize * KEPT_SHARE);

/** Returns the room of a folder's disk in bytes, synchronously: for processes that do one thing only. */
export const diskRoomOf = (folder: string): number => roomOf(statfsSync(folder));

/** Checks that `bytes` more may be written. @throws 503 disk_full if that would leave too little for others */
export async function requireRoom(folder: string, bytes: number): Promise<void> {
  const room = roomOf(await statfs(folder));
  if (room < bytes) throw noRoom(bytes, room);
}

const noRoom = (bytes: number, room: number): KontorError =>
  new KontorError(
    503,
    'disk_full',
    `Der Speicherplatz des Servers reicht für diese Datei nicht aus: ${bytes > 0 ? `Gebraucht werden ${sizeText(Math.ceil(bytes))}, ` : ''}frei sind ${sizeText(Math.max(0, Math.floor(room)))}. Die Übertragung wurde beendet, bevor er erschöpft war; es wurde nichts importiert, alles Bisherige gilt weiter. Bitte wenden Sie sich an den Betreiber.`,
    { retryAfter: 600 },
  );

/**
 * Opens a new file for incoming data, `expected` bytes if known. It is refused at once if the disk has no room for it and its
 * result, and the transfer ends while there is still room for others. Pipe through `watched` before `sink`. Data is forced to
 * the disk bit by bit: for a file larger than memory, a single sync at the end would take minutes without visible progress.
 */
export async function incomingFile(
  path: string,
  expected: number,
  highWaterMark: number,
): Promise<{ watched: (chunks: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>; sink: Writable }> {
  await requireRoom(dirname(path), expected * WITH_ITS_RESULT);
  const file = await open(path, 'w');
  async function* watched(chunks: AsyncIterable<Uint8Array>) {
    let [unseen, unforced] = [0, 0];
    for await (const chunk of chunks) {
      yield chunk;
      unseen += chunk.length;
      unforced += chunk.length;
      if (unseen >= LOOK_BYTES) {
        unseen = 0;
        await requireRoom(dirname(path), 0);
      }
      if (unforced >= FORCE_BYTES) {
        unforced = 0;
        await file.datasync();
      }
    }
  }
  return { watched, sink: file.createWriteStream({ flush: true, highWaterMark }) };
}
