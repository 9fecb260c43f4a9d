import { type StatsFs, statfsSync } from 'node:fs';
import { open, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { sizeText } from '#shared/values/size-text.ts';
import { KontorError } from '#platform/errors.ts';

/** So much of a disk stays free of what is sent to us, for the database and other companies' work: a share, and never more than this. */
const KEPT_SHARE = 0.05;
const KEPT_BYTES = 2 * 1024 ** 3;

/** What becomes of a file that comes lies beside it: of one that is as large as the disk nothing could be made. */
const WITH_ITS_RESULT = 1.5;

/** Between two looks at the disk, and between two times that what came is forced to it. */
const LOOK_BYTES = 8 * 1024 ** 2;
const FORCE_BYTES = 512 * 1024 ** 2;

/** Bytes that may still be written there; negative where others need what is left. */
const roomOf = ({ bavail, blocks, bsize }: StatsFs): number =>
  bavail * bsize - Math.min(KEPT_BYTES, blocks * bsize * KEPT_SHARE);

/** The same of a disk, at once: for processes that do one thing only. */
export const roomAt = (folder: string): number => roomOf(statfsSync(folder));

/** @throws 503 disk_full where so many bytes more would leave too little for others */
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
 * A new file for what comes from elsewhere, `expected` bytes where that is known: refused before the first one where the disk has no
 * room for it and for what is made of it, ended while there still is room for others. `watched` stands before `sink`. It forces what
 * came to the disk bit by bit: of a file larger than the memory the last step would take minutes, in which nothing is seen to come.
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
