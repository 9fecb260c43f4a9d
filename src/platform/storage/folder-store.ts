import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { discardFiles, placeFiles, prepareFiles, syncFolders } from '#platform/jobs/job-files.ts';
import { incomingFile } from './disk-room.ts';
import { filesBelow, publish, sizeOf, statIfThere, syncPath } from './files.ts';
import type { ByteRange, HeldFiles, ListedFile, Store } from './store.ts';

/** Most bytes that are collected into one write: writing network packets one by one costs a sixth more. */
const WRITTEN_TOGETHER = 4 * 1024 * 1024;

const inPlace: HeldFiles = { localOf: (path) => path, release: () => {} };

/** The data folder as store: a path is the file's location, and nothing is copied. */
export const folderStore: Store = {
  has: async (path) => (await statIfThere(path)) !== undefined,
  hold: async () => inPlace,
  stream,
  addressOf: async () => undefined,
  keep: publish,
  receive: async (path, content, expected = 0) => {
    const made = await mkdir(dirname(path), { recursive: true });
    const { watched, sink } = await incomingFile(path, expected, WRITTEN_TOGETHER);
    await pipeline(content, watched, sink);
    await syncPath(dirname(path));
    if (made !== undefined) await syncPath(dirname(made));
  },
  remove: async (paths) => {
    for (const path of paths) await rm(path, { force: true });
  },
  removeBelow: (folder) => rm(folder, { recursive: true, force: true }),
  list,
  sizeOf,
  // Nothing to do: a folder has no rows to compare with. Files that no longer belong are removed elsewhere (operations/pruning).
  tidy: async () => ({ removed: 0, lost: [] }),
  prepare: prepareFiles,
  place: (_trx, attempt, files) => placeFiles(attempt, files),
  settle: (_attempt, files) => syncFolders(files),
  discard: discardFiles,
};

/** Opens the file first, so that a missing file is an error before the response has begun. */
async function stream(path: string, range?: ByteRange): Promise<Readable> {
  const handle = await open(path, 'r');
  return handle.createReadStream({ highWaterMark: 256 * 1024, ...range });
}

async function list(folder: string): Promise<ListedFile[]> {
  const listed: ListedFile[] = [];
  for (const { parentPath, name } of await filesBelow(folder)) {
    if (name.endsWith('.tmp')) continue;
    const path = join(parentPath, name);
    const info = await statIfThere(path);
    if (info !== undefined) listed.push({ path, bytes: info.size, at: info.mtime });
  }
  return listed;
}
