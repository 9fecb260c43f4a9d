import { join } from 'node:path';
import { folderStore } from '#platform/storage/folder-store.ts';
import type { Store } from '#platform/storage/store.ts';

/**
 * The paths of a company's files, and the store that holds them. All names are generated ids and numbers, never texts of a user
 * (T20).
 */
export type StoragePaths = ReturnType<typeof storagePathsIn>;

/** The company's folder that belongs to no catalogue and no export. */
export const DECISIONS_FOLDER = 'decisions';

const generated = /^[A-Za-z0-9]{1,64}$/;

function part(id: string): string {
  if (!generated.test(id)) throw new Error('not a generated id');
  return id;
}

export function storagePathsIn(itemsFolder: string, store: Store = folderStore) {
  const master = (company: string, masterid: string) => join(itemsFolder, part(company), part(masterid));
  const exported = (company: string, id: string) => join(itemsFolder, part(company), part(id));
  return {
    root: itemsFolder,
    store,
    /** All files of a company. */
    company: (company: string) => join(itemsFolder, part(company)),
    /** Files with old price decisions of all catalogues, including deleted ones. */
    decisionArchives: (company: string) => join(itemsFolder, part(company), DECISIONS_FOLDER),
    snapshotFolder: (company: string, masterid: string) => join(master(company, masterid), 'snapshots'),
    snapshot: (company: string, masterid: string, number: number) =>
      join(master(company, masterid), 'snapshots', `${number}.parquet`),
    materialisedFolder: (company: string, masterid: string) => join(master(company, masterid), 'fields'),
    /** Fields after the master's rules; `id` is derived from all that they depend on. */
    materialised: (company: string, masterid: string, id: string) =>
      join(master(company, masterid), 'fields', `${part(id)}.parquet`),
    /** Uploaded files, until their import has ended. */
    incoming: (company: string, masterid: string, runid: string) =>
      join(master(company, masterid), 'incoming', part(runid)),
    /** A piece of a file that is uploaded in pieces. */
    piece: (company: string, masterid: string, upload: string, id: string) =>
      join(master(company, masterid), 'incoming', `${part(upload)}.${part(id)}`),
    rejected: (company: string, masterid: string, runid: string) =>
      join(master(company, masterid), 'rejected', `${part(runid)}.jsonl`),
    work: (company: string, masterid: string, runid: string) =>
      join(master(company, masterid), 'work', `${part(runid)}.tmp`),
    runFolder: (company: string, id: string) => join(exported(company, id), 'runs'),
    /** Files of a run in parts until its end: the parts, and what was computed over all items. */
    exportParts: (company: string, id: string, runid: string) => {
      const folder = join(exported(company, id), 'parts', part(runid));
      return {
        folder,
        part: (number: number) => join(folder, `${number}.parquet`),
        answers: join(folder, 'all.parquet'),
      };
    },
    /** Files of an import in parts until its end. */
    importParts: (company: string, masterid: string, runid: string) => {
      const folder = join(master(company, masterid), 'parts', part(runid));
      return {
        folder,
        part: (number: number) => join(folder, `${number}.parquet`),
        rejected: (number: number) => join(folder, `${number}.jsonl`),
      };
    },
    /** Parts of all runs of an export, or of all imports of a catalogue. */
    partsFolder: (company: string, id: string) => join(exported(company, id), 'parts'),
    offeredStockFolder: (company: string, id: string) => join(exported(company, id), 'stock'),
    /** The stock that an export's channel is offered of each article, one file per revision. */
    offeredStock: (company: string, id: string, revision: number) =>
      join(exported(company, id), 'stock', `${revision}.csv`),
    /** A published output: the file itself and its sidecar files, distinguished by their endings. */
    output: (company: string, id: string, number: number, ending: string) =>
      join(exported(company, id), 'runs', `${number}.${ending}`),
  };
}
