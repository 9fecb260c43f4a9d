import { z } from 'zod';
import { integerText } from '#shared/values/integer-text.ts';

/** A file that the rows refer to but the backup lacks: deleted while the backup was written, or lost before. */
export const MissingFile = z.object({ path: z.string(), why: z.enum(['deleted', 'lost']) });
export type MissingFile = z.infer<typeof MissingFile>;

/** The contents of a backup, with a hash of everything; the last entry but one of the archive. */
export const Manifest = z.object({
  /** Format 1 had a hash over the rows in their order, which cannot be compared if the order differs. */
  format: z.literal(2),
  program: z.string(),
  madeAt: z.iso.datetime(),
  /** Shows whether an installation's secret is the one that encrypts the backup's passwords and personal data. */
  keyMark: z.string(),
  migrations: z.array(z.object({ number: z.number().int(), name: z.string(), checksum: z.string() })),
  /** In an order in which no row refers to one that is loaded later. */
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number().int(),
      /** Sum of the hashes of the rows in PostgreSQL's text form, independent of their order. */
      rowsSha256: z.string(),
      /** Hash of the archive's entry. */
      sha256: z.string(),
    }),
  ),
  /** `object`: the file's key in the bucket it was stored in. */
  files: z.array(
    z.object({ path: z.string(), bytes: z.number().int(), sha256: z.string(), object: z.string().optional() }),
  ),
  missing: z.array(MissingFile).default([]),
});
export type Manifest = z.infer<typeof Manifest>;

export const MANIFEST = 'manifest.json';
export const MANIFEST_HASH = 'manifest.json.sha256';
export const tableEntry = (name: string): string => `database/${name}.jsonl.gz`;
export const fileEntry = (path: string): string => `files/${path}`;

/** Returns the text for the operator about files that the backup lacks; '' if there are none. */
export function missingText(missing: readonly MissingFile[]): string {
  const line = (title: string, which: MissingFile['why'], because: string) => {
    const paths = missing.filter(({ why }) => why === which).map(({ path }) => path);
    if (paths.length === 0) return '';
    const rest = paths.length > SAID ? ` und ${integerText(paths.length - SAID)} weitere` : '';
    return `${title} ${integerText(paths.length)} ${paths.length === 1 ? 'Datei' : 'Dateien'}, ${because}: ${paths.slice(0, SAID).join(', ')}${rest}\n`;
  };
  return (
    line('Nicht dabei:', 'deleted', 'während der Sicherung endgültig gelöscht') +
    line('Verloren:  ', 'lost', 'schon vor der Sicherung im Dateispeicher')
  );
}
const SAID = 5;
