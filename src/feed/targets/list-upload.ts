import { KontorError, unprocessable } from '#platform/errors.ts';
import type { UploadReader } from '#platform/http/bodies/read-uploaded.ts';
import { TARGET_LIMITS } from '#shared/targets/schema.ts';
import { countText, integerText } from '#shared/values/integer-text.ts';
import { ListRefused, tooLong } from './draft.ts';
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
    return storable(readList(bytes));
  } catch (error) {
    if (!(error instanceof ListRefused)) throw error;
    throw unprocessable(error.code, `Die Liste wurde nicht übernommen, die bisherige gilt weiter. ${error.message}`);
  }
}

/** The list as it can be stored and read again: what is only information is cut. @throws ListRefused for too long ids and names */
function storable({ entries, warnings }: ReadList): ReadList {
  const { id: longestId, text: longest, attributes: most } = TARGET_LIMITS;
  let cut = 0;
  const fitting = entries.map((entry) => {
    const { id, name, info, attributes } = entry;
    if (id.length > longestId) throw tooLong('Die Kennung', id, longestId);
    if (name.length > longest) throw tooLong('Der Name', name, longest);
    if ((id + name + info).includes('\0')) throw new ListRefused('Die Liste enthält NUL-Zeichen.');
    if (info.length > longest) cut += 1;
    return {
      ...entry,
      info: info.length > longest ? `${info.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…` : info,
      ...(attributes === undefined ? {} : { attributes: attributes.slice(0, most) }),
    };
  });
  const told = `Bei ${countText(cut, 'Eintrag', 'Einträgen')} ist die Beschreibung länger als ${integerText(longest)} Zeichen und wurde gekürzt.`;
  return { entries: fitting, warnings: cut === 0 ? warnings : [...warnings, told] };
}
