import { KontorError, unprocessable } from '#platform/errors.ts';
import type { UploadReader } from '#platform/http/bodies/read-uploaded.ts';
import { ListRefused } from './draft.ts';
import { readList, type ReadList } from './read-list.ts';

/** Reads uploaded lists of a channel: 9 MB, 90,000 categories, took more than a second. */
export const listUpload = {
  read: readUpload,
  module: new URL('./read-list-worker.ts', import.meta.url),
  tooLarge: (cause) =>
    new KontorError(
      413,
      'too_large',
      'Die Liste ist zu groß, um sie zu lesen; die bisherige gilt weiter. Bitte teilen Sie sie.',
      { cause },
    ),
} satisfies UploadReader<ReadList>;

/** @throws KontorError saying what is wrong with the list */
function readUpload(bytes: Uint8Array): ReadList {
  try {
    return readList(bytes);
  } catch (error) {
    if (!(error instanceof ListRefused)) throw error;
    throw unprocessable(error.code, `Die Liste wurde nicht übernommen, die bisherige gilt weiter. ${error.message}`);
  }
}
