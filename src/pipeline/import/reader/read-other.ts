import type { DetectedFormat } from '#shared/import.ts';
import type { ImportRun, TextSource } from './import-run.ts';
import { Refusal } from './refusal.ts';
import type { DataFile } from './unpack.ts';

export type OtherFile =
  | { kind: 'xlsx'; file: DataFile }
  | { kind: 'json' | 'jsonl' | 'xml' | 'html'; source: TextSource; head: string };

/** Readers of everything that is not CSV. */
export async function readOther(_run: ImportRun, _other: OtherFile): Promise<DetectedFormat> {
  throw new Refusal('not_yet', 'Dieses Format wird noch nicht gelesen.');
}
